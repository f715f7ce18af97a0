/* Two seats at a null pointer. */
#include "well_behaved.h"
static int32_t null_seats(uint32_t variant, pentad_variant_t *out) {
  default_variant(variant, out);
  out->seats = NULL;
  return PENTAD_OK;
}
#define VARIANT null_seats
#include "export.h"
