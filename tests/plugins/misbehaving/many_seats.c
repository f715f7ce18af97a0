/* More seats than the bound; only two exist. */
#include "well_behaved.h"
static int32_t many(uint32_t variant, pentad_variant_t *out) {
  default_variant(variant, out);
  out->n_seats = 1000000;
  return PENTAD_OK;
}
#define VARIANT many
#include "export.h"
