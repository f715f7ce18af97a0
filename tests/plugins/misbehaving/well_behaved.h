/* well_behaved.h - a trivial game that keeps the whole contract.
 *
 * Two players take one or two matches in turn; the player who takes the last one wins.
 * A position is two bytes, matches left and seat to move, as text "5 a"; a move
 * is "1" or "2". A misbehaving plugin includes this, defines one function that
 * misbehaves, names it in place of the default one, and includes export.h:
 *
 *   #include "well_behaved.h"
 *   static int32_t wrong_seat(uint32_t v, const uint8_t *p, uint32_t *seat) { ... }
 *   #define TO_MOVE wrong_seat
 *   #include "export.h"
 *
 * The game's id is the name of the file, given by the build as GAME_ID.
 * A plugin with several variants first defines VARIANTS, a list of their ids.
 */
#include <pentad/pentad.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* No plugin uses every default function. */
#define MAYBE_UNUSED __attribute__((unused)) static
#define TEXT(literal) {literal, sizeof literal - 1}

#ifndef VARIANTS
#define VARIANTS "standard"
#endif
static const char *const VARIANT_IDS[] = {VARIANTS};
#define N_VARIANTS (sizeof VARIANT_IDS / sizeof VARIANT_IDS[0])

static const pentad_seat_t SEATS[2] = {
    {.id = TEXT("a"), .name = TEXT("Ann"), .side = 0},
    {.id = TEXT("b"), .name = TEXT("Bob"), .side = 1},
};

MAYBE_UNUSED int is_variant(uint32_t variant, const char *id) { return strcmp(VARIANT_IDS[variant], id) == 0; }

MAYBE_UNUSED int32_t give(const pentad_writer_t *out, const char *data, uint64_t len) {
  return out->write(out->ctx, data, len) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

MAYBE_UNUSED int32_t refuse(pentad_error_t *error, int32_t status, const char *message) {
  error->message_len = (uint32_t)strlen(message);
  memcpy(error->message, message, error->message_len);
  return status;
}

MAYBE_UNUSED uint32_t default_variant_count(void) { return N_VARIANTS; }

MAYBE_UNUSED int32_t default_variant(uint32_t variant, pentad_variant_t *out) {
  const pentad_str_t id = {VARIANT_IDS[variant], strlen(VARIANT_IDS[variant])};
  *out = (pentad_variant_t){.id = id, .name = id, .summary = TEXT("Take one or two matches."), .seats = SEATS,
                            .n_seats = 2, .position_size = 2, .plies_max = 9};
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t default_start(uint32_t variant, uint8_t *position) {
  (void)variant;
  memcpy(position, "\5\0", 2);
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t default_parse(uint32_t variant, pentad_str_t text, uint8_t *position, pentad_error_t *error) {
  (void)variant;
  if (text.len != 3 || text.data[0] < '0' || text.data[0] > '9' || text.data[1] != ' ' ||
      (text.data[2] != 'a' && text.data[2] != 'b')) {
    return refuse(error, PENTAD_MALFORMED, "expected a digit and a player, as in \"5 a\"");
  }
  position[0] = (uint8_t)(text.data[0] - '0');
  position[1] = text.data[2] == 'b';
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t default_format(uint32_t variant, const uint8_t *position, const pentad_writer_t *out) {
  (void)variant;
  const char text[3] = {(char)('0' + position[0]), ' ', position[1] ? 'b' : 'a'};
  return give(out, text, 3);
}

MAYBE_UNUSED int32_t default_to_move(uint32_t variant, const uint8_t *position, uint32_t *seat) {
  (void)variant;
  *seat = position[1];
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t default_legal_moves(uint32_t variant, const uint8_t *position, pentad_str_t prefix,
                                  const pentad_writer_t *out) {
  (void)variant;
  for (char n = 1; n <= 2 && n <= position[0]; n++) {
    const char text = (char)('0' + n);
    const int fits = prefix.len == 0 || (prefix.len == 1 && prefix.data[0] == text);
    if (fits && give(out, &text, 1) != PENTAD_OK) {
      return PENTAD_STOPPED;
    }
  }
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t default_count_moves(uint32_t variant, const uint8_t *position, pentad_str_t prefix, uint64_t *count) {
  (void)variant;
  *count = 0;
  for (char n = 1; n <= 2 && n <= position[0]; n++) {
    *count += prefix.len == 0 || (prefix.len == 1 && prefix.data[0] == '0' + n);
  }
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t default_play(uint32_t variant, const uint8_t *position, pentad_str_t move, uint8_t *next,
                           const pentad_writer_t *canonical, pentad_error_t *error) {
  (void)variant;
  if (position[0] == 0) {
    return refuse(error, PENTAD_GAME_OVER, "no match is left");
  }
  if (move.len != 1 || (move.data[0] != '1' && move.data[0] != '2')) {
    return refuse(error, PENTAD_MALFORMED, "expected 1 or 2");
  }
  const uint8_t n = (uint8_t)(move.data[0] - '0');
  if (n > position[0]) {
    return refuse(error, PENTAD_ILLEGAL, "only one match is left");
  }
  next[0] = (uint8_t)(position[0] - n);
  next[1] = position[1] ^ 1;
  return canonical == NULL ? PENTAD_OK : give(canonical, move.data, 1);
}

MAYBE_UNUSED int32_t default_outcome(uint32_t variant, const uint8_t *position, pentad_outcome_t *out,
                              const pentad_writer_t *text) {
  (void)variant;
  *out = (pentad_outcome_t){.over = position[0] == 0, .n_seats = 2};
  if (!out->over) {
    return PENTAD_OK;
  }
  const int loser = position[1];
  out->scores[!loser] = 1.0;
  out->places[!loser] = 1;
  out->places[loser] = 2;
  return text == NULL ? PENTAD_OK : give(text, "the last match is taken", 23);
}

/* ---- search: reports the first legal move as even ---------------------- */

MAYBE_UNUSED int32_t default_evaluate(uint32_t variant, const uint8_t *position, pentad_evaluation_t *out) {
  (void)variant, (void)position;
  *out = (pentad_evaluation_t){.certainty = PENTAD_ESTIMATE, .plies_to_end = PENTAD_PLIES_UNKNOWN,
                               .source = PENTAD_SOURCE_STATIC, .n_seats = 2, .scores = {0.5, 0.5}};
  return PENTAD_OK;
}

/* A context holds its variant's number. */
MAYBE_UNUSED int32_t default_create(uint32_t variant, uint64_t memory_bytes, uint32_t threads, void **context,
                             pentad_error_t *error) {
  (void)memory_bytes, (void)threads;
  uint32_t *created = malloc(sizeof *created);
  if (created == NULL) {
    return refuse(error, PENTAD_NO_MEMORY, "four bytes are needed");
  }
  *created = variant;
  *context = created;
  return PENTAD_OK;
}

MAYBE_UNUSED void default_destroy(void *context) { free(context); }

/* Sends a report of one line with one move; nodes equal depth. */
MAYBE_UNUSED void send_at(const pentad_control_t *control, const char *move, uint32_t depth, uint32_t stop) {
  pentad_evaluation_t evaluation;
  default_evaluate(0, NULL, &evaluation);
  const pentad_str_t moves[1] = {{move, strlen(move)}};
  const pentad_line_t line = {.moves = moves, .n_moves = 1, .evaluation = evaluation};
  const pentad_report_t report = {.lines = &line, .n_lines = 1, .nodes = depth, .depth = depth, .stop = stop,
                                  .evaluation = evaluation};
  control->report(control->ctx, &report);
}

MAYBE_UNUSED void send(const pentad_control_t *control, const char *move, uint32_t stop) {
  send_at(control, move, 1, stop);
}

MAYBE_UNUSED int32_t default_run(void *context, const uint8_t *position, const pentad_search_request_t *request,
                          const pentad_control_t *control, pentad_error_t *error) {
  (void)context;
  if (position[0] == 0) {
    return refuse(error, PENTAD_GAME_OVER, "no match is left");
  }
  const char *move = request->n_root_moves > 0 && request->root_moves[0].data[0] == '2' ? "2" : "1";
  send(control, move, PENTAD_RUNNING);
  send(control, move, control->should_stop(control->ctx) ? PENTAD_STOP_CANCELLED : PENTAD_STOP_DEPTH);
  return PENTAD_OK;
}

/* ---- symmetry: the players change places ------------------------------- */

MAYBE_UNUSED uint32_t default_count(uint32_t variant) {
  (void)variant;
  return 2;
}

MAYBE_UNUSED int32_t default_inverse(uint32_t variant, uint32_t symmetry, uint32_t *inverse) {
  (void)variant;
  *inverse = symmetry;
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t default_apply(uint32_t variant, uint32_t symmetry, const uint8_t *position, uint8_t *out) {
  (void)variant;
  out[0] = position[0];
  out[1] = position[1] ^ (uint8_t)symmetry;
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t default_apply_move(uint32_t variant, uint32_t symmetry, const uint8_t *position, pentad_str_t move,
                                 const pentad_writer_t *out, pentad_error_t *error) {
  (void)variant, (void)symmetry, (void)position, (void)error;
  return give(out, move.data, move.len);
}

MAYBE_UNUSED int32_t default_apply_seat(uint32_t variant, uint32_t symmetry, uint32_t seat, uint32_t *out) {
  (void)variant;
  *out = seat ^ symmetry;
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t default_canonical(uint32_t variant, const uint8_t *position, uint8_t *out, uint32_t *symmetry) {
  *symmetry = position[1];
  return default_apply(variant, *symmetry, position, out);
}

/* ---- layout: a row of nine places -------------------------------------- */

#define PLACE(literal, i) {.id = TEXT(literal), .x = i + 0.5, .y = 0.5, .radius = 0.4, .shape = PENTAD_POINT_CELL}
static const pentad_point_t POINTS[9] = {PLACE("1", 0), PLACE("2", 1), PLACE("3", 2), PLACE("4", 3), PLACE("5", 4),
                                         PLACE("6", 5), PLACE("7", 6), PLACE("8", 7), PLACE("9", 8)};
static const pentad_piece_t PIECES[1] = {
    {.id = TEXT("m"), .name = TEXT("match"), .fill = TEXT("#aa5500"), .shape = PENTAD_PIECE_DISC,
     .seat = PENTAD_NO_SEAT}};

MAYBE_UNUSED int32_t default_board(uint32_t variant, pentad_board_t *out) {
  (void)variant;
  *out = (pentad_board_t){.width = 9, .height = 1, .points = POINTS, .n_points = 9, .pieces = PIECES, .n_pieces = 1};
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t default_pieces(uint32_t variant, const uint8_t *position, const pentad_placer_t *out) {
  (void)variant;
  for (uint32_t i = 0; i < position[0]; i++) {
    if (out->place(out->ctx, i, 0) != 0) {
      return PENTAD_STOPPED;
    }
  }
  return PENTAD_OK;
}

/* ---- reasons ----------------------------------------------------------- */

MAYBE_UNUSED int32_t default_explain(uint32_t variant, const uint8_t *position, const pentad_report_t *report,
                              uint64_t line_idx, const pentad_explainer_t *out) {
  (void)variant, (void)position, (void)report, (void)line_idx;
  static const pentad_str_t points[1] = {TEXT("1")};
  const pentad_reason_t reason = {.code = TEXT("only_idea"), .text = TEXT("it takes a match"), .points = points,
                                  .n_points = 1};
  return out->give(out->ctx, &reason) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

/* ---- threats: taking the last matches ---------------------------------- */

MAYBE_UNUSED int32_t default_kinds(const pentad_threat_kind_lister_t *out) {
  const pentad_threat_kind_t kind = {.kind = TEXT("last"), .description = TEXT("taking the last match")};
  return out->give(out->ctx, &kind) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

MAYBE_UNUSED int32_t default_turn_of(uint32_t variant, const uint8_t *position, uint32_t seat, uint8_t *out) {
  (void)variant;
  if (position[0] == 0) {
    return PENTAD_UNSUPPORTED;
  }
  out[0] = position[0];
  out[1] = (uint8_t)seat;
  return PENTAD_OK;
}

/* The only threat; a plugin may substitute another. */
MAYBE_UNUSED pentad_threat_t last_matches(const uint8_t *position) {
  static const uint32_t points[2] = {0, 1};
  const pentad_str_t move = {position[0] == 1 ? "1" : "2", 1};
  return (pentad_threat_t){.seat = position[1] & 1, .kind = 0, .key = 7, .score = 1.0, .winning_move = move,
                           .points = points, .n_points = position[0]};
}

MAYBE_UNUSED int32_t default_list(uint32_t variant, const uint8_t *position, const pentad_threat_lister_t *out) {
  (void)variant;
  if (position[0] == 0 || position[0] > 2) {
    return PENTAD_OK;
  }
  const pentad_threat_t threat = last_matches(position);
  return out->give(out->ctx, &threat) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

/* Taking the last matches stops it; leaving one or two does not. */
MAYBE_UNUSED int32_t default_stops(uint32_t variant, const uint8_t *position, const pentad_threat_t *threats,
                                   uint64_t n_threats, const pentad_stop_lister_t *out) {
  (void)variant, (void)threats;
  for (uint8_t n = 1; n <= 2 && n <= position[0]; n++) {
    const pentad_str_t move = {n == 1 ? "1" : "2", 1};
    const int is_stopped = n_threats == 1 && (position[0] == n || position[0] - n > 2);
    if (is_stopped && out->give(out->ctx, move, 1, 1) != 0) {
      return PENTAD_STOPPED;
    }
  }
  return PENTAD_OK;
}
