/* Keeps the contract and never finishes by itself: a search that goes a ply deeper
 * every millisecond until a limit is reached or it is cancelled. It sleeps in
 * between, so that a test may run many of them at once. */
#define _POSIX_C_SOURCE 200809L
#include "well_behaved.h"
#include <time.h>

static uint64_t now_ns(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint32_t stop_reason(const pentad_search_request_t *request, const pentad_control_t *control, uint32_t depth,
                            uint64_t begin_ns) {
  if (control->should_stop(control->ctx)) {
    return PENTAD_STOP_CANCELLED;
  }
  if (request->depth > 0 && depth >= request->depth) {
    return PENTAD_STOP_DEPTH;
  }
  if (request->nodes > 0 && depth >= request->nodes) {
    return PENTAD_STOP_NODES;
  }
  return request->time_ns > 0 && now_ns() - begin_ns >= request->time_ns ? PENTAD_STOP_TIME : PENTAD_RUNNING;
}

static int32_t endless(void *context, const uint8_t *position, const pentad_search_request_t *request,
                       const pentad_control_t *control, pentad_error_t *error) {
  (void)context;
  if (position[0] == 0) {
    return refuse(error, PENTAD_GAME_OVER, "no match is left");
  }
  const char *move = request->n_root_moves > 0 && request->root_moves[0].data[0] == '2' ? "2" : "1";
  const struct timespec pause = {.tv_nsec = 1000 * 1000};
  const uint64_t begin_ns = now_ns();
  for (uint32_t depth = 1;; depth++) {
    const uint32_t stop = stop_reason(request, control, depth, begin_ns);
    send_at(control, move, depth, stop);
    if (stop != PENTAD_RUNNING) {
      return PENTAD_OK;
    }
    (void)nanosleep(&pause, NULL);
  }
}
#define RUN endless
#include "export.h"
