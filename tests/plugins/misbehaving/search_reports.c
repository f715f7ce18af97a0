/* One invalid report per variant, and one context that is null. */
#define VARIANTS "well-behaved", "null-report", "no-lines", "null-lines", "huge-lines", "too-many-lines", "same-move", \
  "empty-line", "null-moves", "huge-line", "bad-stop", "bad-evaluation", "bad-line-evaluation", "two-last", \
  "late-report", "game-over", "null-context", "threads", "says-stopped"
#include "well_behaved.h"
#include <pthread.h>

static void *report_some(void *control) {
  for (int i = 0; i < 1000; i++) {
    send(control, "1", PENTAD_RUNNING);
  }
  return NULL;
}

static void report_from_threads(const pentad_control_t *control) {
  pentad_control_t shared = *control;
  pthread_t threads[2];
  int n = 0;
  while (n < 2 && pthread_create(&threads[n], NULL, report_some, &shared) == 0) {
    n++;
  }
  while (n-- > 0) {
    (void)pthread_join(threads[n], NULL);
  }
}

static int32_t run(void *context, const uint8_t *position, const pentad_search_request_t *request,
                   const pentad_control_t *control, pentad_error_t *error) {
  (void)position, (void)request;
  const uint32_t variant = *(uint32_t *)context;
  pentad_evaluation_t evaluation;
  default_evaluate(0, NULL, &evaluation);
  pentad_evaluation_t wrong = evaluation;
  wrong.n_seats = 3;
  const pentad_str_t one = TEXT("1"), two = TEXT("2");
  pentad_line_t lines[2] = {{.moves = &one, .n_moves = 1, .evaluation = evaluation},
                            {.moves = &two, .n_moves = 1, .evaluation = evaluation}};
  pentad_report_t report = {.lines = lines, .n_lines = 1, .stop = PENTAD_STOP_DEPTH, .evaluation = evaluation};
  const pentad_report_t *sent = &report;
  if (is_variant(variant, "null-report")) {
    sent = NULL;
  } else if (is_variant(variant, "no-lines")) {
    report.n_lines = 0;
  } else if (is_variant(variant, "null-lines")) {
    report.lines = NULL;
  } else if (is_variant(variant, "huge-lines")) {
    report.n_lines = UINT64_MAX;
  } else if (is_variant(variant, "too-many-lines")) {
    report.n_lines = request->n_lines + 1;
  } else if (is_variant(variant, "same-move")) {
    lines[1].moves = &one;
    report.n_lines = 2;
  } else if (is_variant(variant, "empty-line")) {
    lines[0].n_moves = 0;
  } else if (is_variant(variant, "null-moves")) {
    lines[0].moves = NULL;
  } else if (is_variant(variant, "huge-line")) {
    lines[0].n_moves = UINT64_MAX / 16;
  } else if (is_variant(variant, "bad-stop")) {
    report.stop = 6;
  } else if (is_variant(variant, "bad-evaluation")) {
    report.evaluation = wrong;
  } else if (is_variant(variant, "bad-line-evaluation")) {
    lines[0].evaluation = wrong;
  } else if (is_variant(variant, "threads")) {
    report_from_threads(control);
  }
  control->report(control->ctx, sent);
  if (is_variant(variant, "two-last")) {
    control->report(control->ctx, sent);
  } else if (is_variant(variant, "late-report")) {
    send(control, "1", PENTAD_RUNNING);
  } else if (is_variant(variant, "game-over")) {
    return refuse(error, PENTAD_GAME_OVER, "over after all");
  } else if (is_variant(variant, "says-stopped")) {
    return PENTAD_STOPPED;
  }
  return PENTAD_OK;
}
static int32_t create(uint32_t variant, uint64_t bytes, uint32_t threads, void **context, pentad_error_t *error) {
  return is_variant(variant, "null-context") ? PENTAD_OK : default_create(variant, bytes, threads, context, error);
}
#define RUN run
#define CREATE create
#include "export.h"
