/* Crashes, exits or hangs when a move is played that the rules forbid: taking two
 * matches where one is left. Each variant does what its name says; `at-exit`
 * aborts when the process ends, and `prints` only prints.
 *
 * Not in misbehaving/: nothing that loads it may call it in its own process. */
#define _POSIX_C_SOURCE 200809L
#define VARIANTS "segfault", "abort", "exit", "hang", "at-exit", "prints"
#include "../misbehaving/well_behaved.h"
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static int aborts_at_exit;

__attribute__((destructor)) static void at_exit(void) {
  if (aborts_at_exit) {
    abort();
  }
}

static int32_t play(uint32_t v, const uint8_t *position, pentad_str_t move, uint8_t *next,
                    const pentad_writer_t *canonical, pentad_error_t *error) {
  if (is_variant(v, "prints")) {
    (void)printf("a move is played\n");
    (void)fflush(stdout);
  }
  if (position[0] == 1 && move.len == 1 && move.data[0] == '2') {
    if (is_variant(v, "segfault")) {
      /* Not by `raise`: a handler that returns, as Rust's does, would ignore it. */
      volatile uintptr_t nowhere = 8;
      *(volatile char *)nowhere = 1;
    } else if (is_variant(v, "abort")) {
      abort();
    } else if (is_variant(v, "exit")) {
      exit(0);
    } else if (is_variant(v, "hang")) {
      while (pause() != 0) {
      }
    }
    aborts_at_exit = is_variant(v, "at-exit");
  }
  return default_play(v, position, move, next, canonical, error);
}
#define PLAY play
#include "../misbehaving/export.h"
