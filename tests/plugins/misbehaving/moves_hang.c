/* Quick as long as there are fewer than nine matches; with nine, listing the moves
 * never returns. */
#define _POSIX_C_SOURCE 200809L
#include "well_behaved.h"
#include <unistd.h>
static int32_t hangs(uint32_t variant, const uint8_t *position, pentad_str_t prefix, const pentad_writer_t *out) {
  while (position[0] == 9) {
    (void)pause();
  }
  return default_legal_moves(variant, position, prefix, out);
}
#define LEGAL_MOVES hangs
#include "export.h"
