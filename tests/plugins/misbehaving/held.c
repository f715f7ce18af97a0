/* Calls that return only when a test releases them, by creating a file whose path it
 * has written into its copy of the library. What happens while they run is then
 * decided by the order of events, not by time.
 *
 * In the variant `search` a search reports its moves a ply deeper every
 * millisecond and does not poll should_stop; released, it ends with
 * PENTAD_STOP_DEPTH. In `reasons` the reasons are held, in `moves` the list of
 * legal moves. `standard` is well-behaved. */
#define _POSIX_C_SOURCE 200809L
#define VARIANTS "standard", "search", "reasons", "moves"
#include "well_behaved.h"
#include <time.h>
#include <unistd.h>

/* Longer than any test waits: a call that is never released ends after 2 minutes. */
#define PAUSES_MAX (120 * 1000)

/* Replaced in the library's file. Volatile, so that it is read when it is used. */
static volatile char release_file[4096] = "@release-file@";

static int is_released(void) { return access((const char *)release_file, F_OK) == 0; }

static void pause_1_ms(void) {
  const struct timespec pause = {.tv_nsec = 1000 * 1000};
  (void)nanosleep(&pause, NULL);
}

static void wait_if(int is_held) {
  for (int i = 0; i < PAUSES_MAX && is_held && !is_released(); i++) {
    pause_1_ms();
  }
}

/* Sends as many lines as requested and legal. */
static void send_lines(const pentad_control_t *control, const uint8_t *position, uint32_t n_lines, uint32_t depth,
                       uint32_t stop) {
  pentad_evaluation_t evaluation;
  default_evaluate(0, NULL, &evaluation);
  const pentad_str_t moves[2] = {TEXT("1"), TEXT("2")};
  const pentad_line_t lines[2] = {{.moves = &moves[0], .n_moves = 1, .evaluation = evaluation},
                                  {.moves = &moves[1], .n_moves = 1, .evaluation = evaluation}};
  const pentad_report_t report = {.lines = lines, .n_lines = n_lines > 1 && position[0] > 1 ? 2 : 1, .nodes = depth,
                                  .depth = depth, .stop = stop, .evaluation = evaluation};
  control->report(control->ctx, &report);
}

static int32_t run(void *context, const uint8_t *position, const pentad_search_request_t *request,
                   const pentad_control_t *control, pentad_error_t *error) {
  if (position[0] == 0 || !is_variant(*(uint32_t *)context, "search")) {
    return default_run(context, position, request, control, error);
  }
  uint32_t depth = 1;
  while (depth < PAUSES_MAX && !is_released()) {
    send_lines(control, position, request->n_lines, depth++, PENTAD_RUNNING);
    pause_1_ms();
  }
  send_lines(control, position, request->n_lines, depth, PENTAD_STOP_DEPTH);
  return PENTAD_OK;
}

static int32_t explain(uint32_t variant, const uint8_t *position, const pentad_report_t *report, uint64_t line_idx,
                       const pentad_explainer_t *out) {
  wait_if(is_variant(variant, "reasons"));
  return default_explain(variant, position, report, line_idx, out);
}

static int32_t legal_moves(uint32_t variant, const uint8_t *position, pentad_str_t prefix,
                           const pentad_writer_t *out) {
  wait_if(is_variant(variant, "moves"));
  return default_legal_moves(variant, position, prefix, out);
}
#define LEGAL_MOVES legal_moves
#define RUN run
#define EXPLAIN explain
#include "export.h"
