/* Crashes, exits or hangs when a move is played that the rules forbid: taking two
 * matches where one is left. Each variant does what its name says; `at-exit`
 * aborts when the process ends, and `prints` only prints. `segfault-in-game` crashes
 * when a legal move leaves two matches, and `segfault-in-outcome` where two are left.
 *
 * Not in misbehaving/: nothing that loads it may call it in its own process. */
#define _POSIX_C_SOURCE 200809L
#define VARIANTS "segfault", "abort", "exit", "hang", "at-exit", "prints", "segfault-in-game", "segfault-in-outcome"
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

/* Not by `raise`: a handler that returns, as Rust's does, would ignore it. */
static void segfault(void) {
  volatile uintptr_t nowhere = 8;
  *(volatile char *)nowhere = 1;
}

static int32_t outcome(uint32_t v, const uint8_t *position, pentad_outcome_t *out, const pentad_writer_t *text) {
  if (is_variant(v, "segfault-in-outcome") && position[0] == 2) {
    segfault();
  }
  return default_outcome(v, position, out, text);
}

static int32_t play(uint32_t v, const uint8_t *position, pentad_str_t move, uint8_t *next,
                    const pentad_writer_t *canonical, pentad_error_t *error) {
  if (is_variant(v, "prints")) {
    (void)printf("a move is played\n");
    (void)fflush(stdout);
  }
  if (position[0] == 1 && move.len == 1 && move.data[0] == '2') {
    if (is_variant(v, "segfault")) {
      segfault();
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
  if (is_variant(v, "segfault-in-game") && move.len == 1 && position[0] == 2 + move.data[0] - '0') {
    segfault();
  }
  return default_play(v, position, move, next, canonical, error);
}
#define PLAY play
#define OUTCOME outcome
#include "../misbehaving/export.h"
