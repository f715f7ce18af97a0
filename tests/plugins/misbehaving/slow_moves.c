/* Keeps the contract, but takes 60 ms to list the moves. */
#define _POSIX_C_SOURCE 200809L
#include "well_behaved.h"
#include <time.h>
static int32_t slow(uint32_t variant, const uint8_t *position, pentad_str_t prefix, const pentad_writer_t *out) {
  const struct timespec rest = {.tv_nsec = 60 * 1000 * 1000};
  (void)nanosleep(&rest, NULL);
  return default_legal_moves(variant, position, prefix, out);
}
#define LEGAL_MOVES slow
#include "export.h"
