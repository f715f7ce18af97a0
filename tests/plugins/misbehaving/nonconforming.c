/* Breaks one law of the conformance checks per variant, the one that its id begins
 * with. The host cannot detect any of them in a single call: it takes two calls that
 * contradict each other. */
#define _POSIX_C_SOURCE 200809L
#define VARIANTS                                                                                                       \
  "counted", "listed", "accepted", "notation", "fresh", "unchanged", "outcome", "ends", "length", "symmetry",         \
      "canonical", "illegal", "illegal-malformed", "search", "proofs", "stops", "reasons", "words", "threats",  \
      "threats-false", "threats-turn", "stopped", "stopped-missing", "stopped-all", "spoken", "spoken-late",   \
      "seats", "plays-beyond", "reasons-point", "threads"
#include "well_behaved.h"
#include "words.h"
#include <sched.h>
#include <time.h>

static int32_t describe(uint32_t v, pentad_variant_t *out) {
  int32_t status = default_variant(v, out);
  if (is_variant(v, "length")) {
    out->plies_max = 2;
  }
  return status;
}

static int32_t count(uint32_t v, const uint8_t *position, pentad_str_t prefix, uint64_t *out) {
  int32_t status = default_count_moves(v, position, prefix, out);
  *out += is_variant(v, "counted");
  return status;
}

/* Legal moves in a finished game, or none before its end. */
static int32_t moves(uint32_t v, const uint8_t *position, pentad_str_t prefix, const pentad_writer_t *out) {
  if (is_variant(v, "outcome") && position[0] == 0) {
    return give(out, "1", 1);
  }
  if (is_variant(v, "ends") && position[0] == 1) {
    return PENTAD_OK;
  }
  return default_legal_moves(v, position, prefix, out);
}

static int32_t format(uint32_t v, const uint8_t *position, const pentad_writer_t *out) {
  const uint8_t seen[2] = {position[0], is_variant(v, "notation") ? 0 : position[1] & 1};
  return default_format(v, seen, out);
}

static int32_t to_move(uint32_t v, const uint8_t *position, uint32_t *seat) {
  *seat = is_variant(v, "seats") ? 0 : position[1] & 1;
  return PENTAD_OK;
}

static int32_t play(uint32_t v, const uint8_t *position, pentad_str_t move, uint8_t *next,
                    const pentad_writer_t *canonical, pentad_error_t *error) {
  if (is_variant(v, "listed") && move.len == 2 && position[0] > 0) {
    memcpy(next, position, 2);
    return canonical == NULL ? PENTAD_OK : give(canonical, "3", 1);
  }
  if (is_variant(v, "accepted") && canonical != NULL && move.len == 1 && move.data[0] == '1' && position[0] > 0) {
    default_play(v, position, move, next, NULL, error);
    return give(canonical, "one", 3);
  }
  const int is_illegal = position[0] == 1 && move.len == 1 && move.data[0] == '2';
  if (is_variant(v, "illegal-malformed") && is_illegal) {
    return refuse(error, PENTAD_MALFORMED, "want 1");
  }
  if (is_variant(v, "illegal") && is_illegal) {
    next[0] = 0;
    next[1] = position[1] ^ 1;
    return canonical == NULL ? PENTAD_OK : give(canonical, "2", 1);
  }
  if (is_variant(v, "threads")) {
    /* The position of the last caller, on whichever thread. */
    static volatile uint8_t shared[2];
    shared[0] = position[0];
    shared[1] = position[1];
    for (int i = 0; i < 5; i++) {
      (void)sched_yield();
    }
    const uint8_t seen[2] = {shared[0], shared[1]};
    return default_play(v, seen, move, next, canonical, error);
  }
  const int32_t status = default_play(v, position, move, next, canonical, error);
  if (status == PENTAD_OK && is_variant(v, "plays-beyond")) {
    next[2] = next[3] = 7;
  }
  if (status == PENTAD_OK && is_variant(v, "fresh")) {
    next[1] |= 0x80;
  }
  if (status == PENTAD_OK && is_variant(v, "unchanged") && position[0] == 3) {
    ((uint8_t *)(uintptr_t)position)[0] = 4;
  }
  return status;
}

static int32_t outcome(uint32_t v, const uint8_t *position, pentad_outcome_t *out, const pentad_writer_t *text) {
  const uint8_t seen[2] = {position[0], position[1] & 1};
  return default_outcome(v, seen, out, text);
}

static int32_t apply(uint32_t v, uint32_t symmetry, const uint8_t *position, uint8_t *out) {
  const int32_t status = default_apply(v, symmetry, position, out);
  if (is_variant(v, "symmetry") && symmetry == 1 && position[0] == 1) {
    out[0] = 2;
  }
  return status;
}

static int32_t canonical(uint32_t v, const uint8_t *position, uint8_t *out, uint32_t *symmetry) {
  if (is_variant(v, "canonical")) {
    *symmetry = 0;
    memcpy(out, position, 2);
    return PENTAD_OK;
  }
  return default_canonical(v, position, out, symmetry);
}

static int32_t run(void *context, const uint8_t *position, const pentad_search_request_t *request,
                   const pentad_control_t *control, pentad_error_t *error) {
  const uint32_t v = *(const uint32_t *)context;
  static int n_runs;
  if (is_variant(v, "search") && position[0] >= 2) {
    send(control, ++n_runs % 2 == 0 ? "1" : "2", PENTAD_STOP_DEPTH);
    return PENTAD_OK;
  }
  if (is_variant(v, "stops")) {
    struct timespec used;
    const clockid_t thread = CLOCK_THREAD_CPUTIME_ID;
    (void)clock_gettime(thread, &used);
    const int64_t end_ms = used.tv_sec * 1000 + used.tv_nsec / 1000000 + 150;
    do {
      (void)clock_gettime(thread, &used);
    } while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < end_ms);
  }
  if (is_variant(v, "proofs") && position[0] > 0) {
    const pentad_str_t text[1] = {TEXT("1")};
    const int mover = position[1] & 1;
    const pentad_evaluation_t evaluation = {.certainty = PENTAD_PROVEN, .outcome = PENTAD_WIN, .plies_to_end = 1,
                                            .source = PENTAD_SOURCE_SEARCH, .depth = 1, .n_seats = 2,
                                            .scores = {!mover, mover}};
    const pentad_line_t line = {.moves = text, .n_moves = 1, .evaluation = evaluation};
    const pentad_report_t report = {.lines = &line, .n_lines = 1, .nodes = 1, .depth = 1, .stop = PENTAD_STOP_PROVEN,
                                    .evaluation = evaluation};
    control->report(control->ctx, &report);
    return PENTAD_OK;
  }
  return default_run(context, position, request, control, error);
}

static int32_t explain(uint32_t v, const uint8_t *position, const pentad_report_t *report, uint64_t line_idx,
                       const pentad_explainer_t *out) {
  static int n_calls;
  if (is_variant(v, "reasons") && ++n_calls % 2 == 0) {
    return PENTAD_OK;
  }
  return default_explain(v, position, report, line_idx, out);
}

/* For the seat to move, returns another position than the current one. */
static int32_t turn_of(uint32_t v, const uint8_t *position, uint32_t seat, uint8_t *out) {
  const int32_t status = default_turn_of(v, position, seat, out);
  if (status == PENTAD_OK && is_variant(v, "threats-turn") && position[1] == seat && position[0] == 4) {
    out[0] = 3;
  }
  return status;
}

/* Omits a win, or lists one that does not exist. */
static int32_t list(uint32_t v, const uint8_t *position, const pentad_threat_lister_t *out) {
  if (is_variant(v, "threats") && position[0] == 2) {
    return PENTAD_OK;
  }
  if (is_variant(v, "threats-false") && position[0] == 3) {
    pentad_threat_t threat = last_matches(position);
    threat.n_points = 0;
    return out->give(out->ctx, &threat) == 0 ? PENTAD_OK : PENTAD_STOPPED;
  }
  return default_list(v, position, out);
}

/* With two matches left only `2` stops the opponent; `1` does not. */
static int32_t stops(uint32_t v, const uint8_t *position, const pentad_threat_t *threats, uint64_t n_threats,
                     const pentad_stop_lister_t *out) {
  if (n_threats != 1 || position[0] != 2 || strncmp(VARIANT_IDS[v], "stopped", 7) != 0) {
    return default_stops(v, position, threats, n_threats, out);
  }
  const pentad_str_t one = {"1", 1}, two = {"2", 1};
  if (is_variant(v, "stopped") && out->give(out->ctx, one, 1, 0) != 0) {
    return PENTAD_STOPPED;
  }
  if (is_variant(v, "stopped-missing")) {
    return PENTAD_OK;
  }
  return out->give(out->ctx, two, 1, !is_variant(v, "stopped-all")) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

#define TURN_OF turn_of
#define LIST list
#define STOPS stops
static int32_t explain_spoken(uint32_t v, const uint8_t *position, const pentad_report_t *report, uint64_t line_idx,
                              const pentad_reason_taker_t *out) {
  static int n_calls;
  if (is_variant(v, "reasons") && ++n_calls % 2 == 0) {
    return PENTAD_OK;
  }
  if (is_variant(v, "words")) {
    return give_takes(position, 2, out);
  }
  if (is_variant(v, "reasons-point") && position[0] == 1) {
    return give_takes_at(position, 1, "z9", out);
  }
  return default_explain_spoken(v, position, report, line_idx, out);
}

/* The same words for both moves, or other words in an earlier position. */
static int32_t say(uint32_t v, const uint8_t *position, pentad_str_t mv, const pentad_message_taker_t *out) {
  if (is_variant(v, "spoken")) {
    return give_move(1, out);
  }
  if (is_variant(v, "spoken-late")) {
    return give_move(mv.data[0] - '0' + 2 * position[0], out);
  }
  return default_say(v, position, mv, out);
}

#define SAY say
#define EXPLAIN_SPOKEN explain_spoken
#define EXPLAIN explain
#define VARIANT describe
#define COUNT_MOVES count
#define LEGAL_MOVES moves
#define FORMAT format
#define TO_MOVE to_move
#define PLAY play
#define OUTCOME outcome
#define APPLY apply
#define CANONICAL canonical
#define RUN run
#include "export.h"
