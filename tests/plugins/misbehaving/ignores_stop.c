/* Continues to list moves after `write` has returned non-zero. */
#include "well_behaved.h"
static int32_t endless(uint32_t variant, const uint8_t *position, pentad_str_t prefix, const pentad_writer_t *out) {
  (void)variant, (void)position, (void)prefix;
  for (int i = 0; i < 1000; i++) {
    (void)out->write(out->ctx, "1", 1);
  }
  return PENTAD_OK;
}
#define LEGAL_MOVES endless
#include "export.h"
