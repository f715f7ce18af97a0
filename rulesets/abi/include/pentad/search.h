/* pentad/search.h - "pentad.search/1": a search compiled with its rules.
 *
 * The host creates a context with the memory and threads it may use, runs any
 * number of searches with it, one at a time, and destroys it. Contexts are the
 * only state a plugin keeps; several may exist at once.
 */
#ifndef PENTAD_SEARCH_H
#define PENTAD_SEARCH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PENTAD_SEARCH_1 "pentad.search/1"

/* certainty */
#define PENTAD_ESTIMATE 0u
#define PENTAD_PROVEN 1u

/* outcome, for the side to move at the root */
#define PENTAD_UNKNOWN 0u /* not proven, or the game has more than two sides */
#define PENTAD_LOSS 1u
#define PENTAD_DRAW 2u
#define PENTAD_WIN 3u

/* source */
#define PENTAD_SOURCE_TERMINAL 0u /* the game is over */
#define PENTAD_SOURCE_BOOK 1u     /* a table of exact values */
#define PENTAD_SOURCE_SOLVER 2u   /* an exact solver */
#define PENTAD_SOURCE_SEARCH 3u
#define PENTAD_SOURCE_STATIC 4u   /* a static evaluation, without a search */

#define PENTAD_PLIES_UNKNOWN UINT32_MAX

/* stop */
#define PENTAD_RUNNING 0u /* an intermediate report */
#define PENTAD_STOP_PROVEN 1u
#define PENTAD_STOP_TIME 2u
#define PENTAD_STOP_NODES 3u
#define PENTAD_STOP_DEPTH 4u
#define PENTAD_STOP_CANCELLED 5u /* should_stop returned non-zero */
#define PENTAD_STOP_TOLD PENTAD_STOP_CANCELLED /* its former name, kept for plugins that use it */

/* The value of a position or move. A proven value must be true under the rules
 * whatever the opponents do (with more than two sides: if everybody plays for
 * their own score); in doubt, report an estimate. */
typedef struct pentad_evaluation {
  uint32_t certainty;
  uint32_t outcome;
  uint32_t plies_to_end; /* from the root with best play, or PENTAD_PLIES_UNKNOWN */
  uint32_t source;
  uint32_t depth;        /* plies searched */
  uint32_t n_seats;
  double scores[PENTAD_SEATS_MAX]; /* expected score per seat, 0 to 1 */
} pentad_evaluation_t;

/* A principal variation in canonical text: a move and the play expected to follow
 * it. The move itself comes first, so n_moves is at least 1. */
typedef struct pentad_line {
  const pentad_str_t *moves;
  uint64_t n_moves; /* 1 to PENTAD_LINE_LEN_MAX */
  pentad_evaluation_t evaluation;
} pentad_line_t;

/* The result of a search so far: different moves, best first. */
typedef struct pentad_report {
  const pentad_line_t *lines;
  uint64_t n_lines; /* at least 1, at most the number requested */
  uint64_t nodes;   /* positions visited so far */
  uint32_t depth;   /* plies completed */
  uint32_t stop;
  pentad_evaluation_t evaluation; /* value of the position, as if only the root moves were legal */
} pentad_report_t;

/* The host's side of a running search. Both functions are the host's and may be
 * called from any thread of the search, `report` from one thread at a time.
 * `should_stop` costs about as much as reading an atomic. Poll it at least every
 * 5 ms; once it has returned non-zero, end the search within 5 ms. */
typedef struct pentad_control {
  void *ctx;
  int32_t (*should_stop)(void *ctx);
  void (*report)(void *ctx, const pentad_report_t *report);
} pentad_control_t;

/* One search. The first limit that is reached ends it; 0 means no limit. */
typedef struct pentad_search_request {
  uint64_t time_ns;
  uint64_t nodes;
  uint64_t seed; /* seed of every random choice */
  uint32_t depth;
  uint32_t n_lines; /* number of lines wanted (MultiPV), at least 1 */
  const pentad_str_t *root_moves; /* search only these, in canonical text ... */
  uint64_t n_root_moves;          /* ... or all legal moves if this is 0 */
} pentad_search_request_t;

typedef struct pentad_search {
  /* Creates a context for a variant. `memory_bytes` bounds all tables of the
   * context, `threads` the threads of one run, the calling one included.
   * OWNERSHIP: the plugin owns what `*context` then points to, until `destroy`;
   * the host owns `error`.
   * [thread-safe] */
  int32_t (*create)(uint32_t variant, uint64_t memory_bytes, uint32_t threads,
                    void **context, pentad_error_t *error);

  /* Searches and returns when it is done. The final call of `control->report`
   * has a `stop` other than PENTAD_RUNNING, and there is exactly one such call;
   * it has at least one legal move, however soon the search was cancelled. For
   * a given node limit (and no time limit), seed and number of threads the
   * final report is always the same.
   * PENTAD_GAME_OVER without any report if the game is finished.
   * OWNERSHIP: the host owns everything handed over; `position` is never
   * changed. A report is the plugin's and valid during that call only.
   * [one-thread] */
  int32_t (*run)(void *context, const uint8_t *position,
                 const pentad_search_request_t *request,
                 const pentad_control_t *control, pentad_error_t *error);

  /* Frees a context. It must not be running.
   * [one-thread] */
  void (*destroy)(void *context);

  /* Evaluates a position statically, without a search; a finished game has its
   * outcome.
   * OWNERSHIP: the host owns `position` (never changed) and `out`.
   * [thread-safe] */
  int32_t (*evaluate)(uint32_t variant, const uint8_t *position,
                      pentad_evaluation_t *out);
} pentad_search_t;

#ifdef __cplusplus
}
#endif

#endif
