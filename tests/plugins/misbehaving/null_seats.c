/* Two seats, nowhere. */
#include "well_behaved.h"
static int32_t nowhere(uint32_t variant, pentad_variant_t *out) {
  default_variant(variant, out);
  out->seats = NULL;
  return PENTAD_OK;
}
#define VARIANT nowhere
#include "export.h"
