/* Positions of 4 GiB. */
#include "well_behaved.h"
static int32_t huge(uint32_t variant, pentad_variant_t *out) {
  default_variant(variant, out);
  out->position_size = UINT32_MAX;
  return PENTAD_OK;
}
#define VARIANT huge
#include "export.h"
