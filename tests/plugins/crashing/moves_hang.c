/* Listing the moves is quick, except in the variant `hangs`, where it never returns:
 * the server learns that the call is cheap, and then it is not. */
#define _POSIX_C_SOURCE 200809L
#define VARIANTS "standard", "hangs"
#include "../misbehaving/well_behaved.h"
#include <unistd.h>
static int32_t legal_moves(uint32_t variant, const uint8_t *position, pentad_str_t prefix,
                           const pentad_writer_t *out) {
  while (is_variant(variant, "hangs")) {
    (void)pause();
  }
  return default_legal_moves(variant, position, prefix, out);
}
#define LEGAL_MOVES legal_moves
#include "../misbehaving/export.h"
