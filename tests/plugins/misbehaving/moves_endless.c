/* With nine matches the list of moves, said to have two thousand, ends only when the
 * writer stops it. With eight, there are said to be two million. */
#include "well_behaved.h"
static int32_t endless(uint32_t variant, const uint8_t *position, pentad_str_t prefix, const pentad_writer_t *out) {
  while (position[0] == 9) {
    if (give(out, "1", 1) != PENTAD_OK) {
      return PENTAD_STOPPED;
    }
  }
  return default_legal_moves(variant, position, prefix, out);
}
static int32_t count(uint32_t variant, const uint8_t *position, pentad_str_t prefix, uint64_t *count) {
  switch (position[0]) {
  case 9:
    *count = 2000;
    return PENTAD_OK;
  case 8:
    *count = 2000 * 1000;
    return PENTAD_OK;
  default:
    return default_count_moves(variant, position, prefix, count);
  }
}
#define LEGAL_MOVES endless
#define COUNT_MOVES count
#include "export.h"
