/* Two seats, nowhere. */
#include "honest.h"
static int32_t nowhere(uint32_t variant, pentad_variant_t *out) {
  honest_variant(variant, out);
  out->seats = NULL;
  return PENTAD_OK;
}
#define VARIANT nowhere
#include "export.h"
