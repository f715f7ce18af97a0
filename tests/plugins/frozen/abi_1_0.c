/* abi_1_0.c - a rule set as it was compiled in the days of ABI 1.0.
 *
 * Frozen: it is never edited, and includes no header of the project, so that
 * its bytes are what an old library has. Every later host of major version 1
 * must load it, let it pass the conformance kit and answer with it. It has all
 * the extensions of 1.0.
 *
 * The game: seven cells in a row, a to g. In turn, two players mark an empty
 * cell that touches no marked one; who cannot move loses. A position is a byte
 * of marks and the seat to move, as text ".x...x. a"; a move is a cell, "d".
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- The ABI as it was -------------------------------------------------- */

typedef struct { const char *data; uint64_t len; } str_t;
typedef struct { void *ctx; int32_t (*write)(void *, const char *, uint64_t); } writer_t;
typedef struct { uint32_t column, field_len, message_len, reserved; char field[64], message[432]; } error_t;
typedef struct { str_t id, name; uint32_t side, reserved; } seat_t;
typedef struct {
  str_t id, name, summary;
  const seat_t *seats;
  uint32_t n_seats, position_size, plies_max, reserved;
} variant_t;
typedef struct { uint32_t over, n_seats; double scores[8]; uint32_t places[8]; } outcome_t;
typedef struct {
  uint32_t (*variant_count)(void);
  int32_t (*variant)(uint32_t, variant_t *);
  int32_t (*start)(uint32_t, uint8_t *);
  int32_t (*parse)(uint32_t, str_t, uint8_t *, error_t *);
  int32_t (*format)(uint32_t, const uint8_t *, const writer_t *);
  int32_t (*to_move)(uint32_t, const uint8_t *, uint32_t *);
  int32_t (*legal_moves)(uint32_t, const uint8_t *, str_t, const writer_t *);
  int32_t (*count_moves)(uint32_t, const uint8_t *, str_t, uint64_t *);
  int32_t (*play)(uint32_t, const uint8_t *, str_t, uint8_t *, const writer_t *, error_t *);
  int32_t (*outcome)(uint32_t, const uint8_t *, outcome_t *, const writer_t *);
} rules_t;
typedef struct {
  uint32_t certainty, outcome, plies_to_end, source, depth, n_seats;
  double scores[8];
} evaluation_t;
typedef struct { const str_t *moves; uint64_t n_moves; evaluation_t evaluation; } line_t;
typedef struct {
  const line_t *lines;
  uint64_t n_lines, nodes;
  uint32_t depth, stop;
  evaluation_t evaluation;
} report_t;
typedef struct { void *ctx; int32_t (*should_stop)(void *); void (*report)(void *, const report_t *); } control_t;
typedef struct {
  uint64_t time_ns, nodes, seed;
  uint32_t depth, n_lines;
  const str_t *root_moves;
  uint64_t n_root_moves;
} request_t;
typedef struct {
  int32_t (*create)(uint32_t, uint64_t, uint32_t, void **, error_t *);
  int32_t (*run)(void *, const uint8_t *, const request_t *, const control_t *, error_t *);
  void (*destroy)(void *);
  int32_t (*evaluate)(uint32_t, const uint8_t *, evaluation_t *);
} search_t;
typedef struct {
  uint32_t (*count)(uint32_t);
  int32_t (*inverse)(uint32_t, uint32_t, uint32_t *);
  int32_t (*apply)(uint32_t, uint32_t, const uint8_t *, uint8_t *);
  int32_t (*apply_move)(uint32_t, uint32_t, const uint8_t *, str_t, const writer_t *, error_t *);
  int32_t (*apply_seat)(uint32_t, uint32_t, uint32_t, uint32_t *);
  int32_t (*canonical)(uint32_t, const uint8_t *, uint8_t *, uint32_t *);
} symmetry_t;
typedef struct { str_t id; double x, y, radius; uint32_t shape, reserved; str_t colour; } point_t;
typedef struct { uint32_t from, to; } edge_t;
typedef struct { str_t id; double x, y, width, height; str_t colour; const uint32_t *points; uint64_t n_points; } block_t;
typedef struct { str_t text; double x, y; } label_t;
typedef struct { str_t id, name, fill, stroke, label; uint32_t shape, seat; } piece_t;
typedef struct {
  double width, height;
  const point_t *points;
  uint64_t n_points;
  const edge_t *edges;
  uint64_t n_edges;
  const block_t *blocks;
  uint64_t n_blocks;
  const label_t *labels;
  uint64_t n_labels;
  const piece_t *pieces;
  uint64_t n_pieces;
} board_t;
typedef struct { void *ctx; int32_t (*place)(void *, uint32_t, uint32_t); } placer_t;
typedef struct {
  int32_t (*board)(uint32_t, board_t *);
  int32_t (*pieces)(uint32_t, const uint8_t *, const placer_t *);
} layout_t;
typedef struct { str_t code, text; const str_t *points; uint64_t n_points; } reason_t;
typedef struct { void *ctx; int32_t (*give)(void *, const reason_t *); } explainer_t;
typedef struct {
  int32_t (*explain)(uint32_t, const uint8_t *, const report_t *, uint64_t, const explainer_t *);
} reasons_t;
typedef struct {
  uint64_t magic;
  uint32_t abi_major, abi_minor, struct_size, reserved;
  str_t id, name, version, rules, notation;
  int32_t (*init)(error_t *);
  const void *(*extension)(str_t);
} entry_t;

enum { OK, MALFORMED, ILLEGAL, GAME_OVER, STOPPED };
enum { ESTIMATE, PROVEN };
enum { LOSS = 1, WIN = 3 };
enum { TERMINAL = 0, SOLVER = 2 };
enum { STOP_PROVEN = 1 };

/* ---- The rules ---------------------------------------------------------- */

#define N 7
#define TEXT(literal) {literal, sizeof literal - 1}

static const str_t CELLS[N] = {TEXT("a"), TEXT("b"), TEXT("c"), TEXT("d"), TEXT("e"), TEXT("f"), TEXT("g")};
static const seat_t SEATS[2] = {{TEXT("a"), TEXT("Ann"), 0, 0}, {TEXT("b"), TEXT("Bob"), 1, 0}};

static int is_free(uint8_t marks, int cell) {
  const int near = (1 << cell) | (1 << cell << 1) | (1 << cell >> 1);
  return (marks & near) == 0;
}

static int is_over(uint8_t marks) {
  for (int cell = 0; cell < N; cell++) {
    if (is_free(marks, cell)) {
      return 0;
    }
  }
  return 1;
}

static int32_t give(const writer_t *out, const char *data, uint64_t len) {
  return out->write(out->ctx, data, len) == 0 ? OK : STOPPED;
}

static int32_t refuse(error_t *error, int32_t status, const char *field, uint32_t column, const char *message) {
  error->column = column;
  error->field_len = (uint32_t)strlen(field);
  memcpy(error->field, field, error->field_len);
  error->message_len = (uint32_t)strlen(message);
  memcpy(error->message, message, error->message_len);
  return status;
}

static uint32_t variant_count(void) { return 1; }

static int32_t variant(uint32_t number, variant_t *out) {
  (void)number;
  *out = (variant_t){TEXT("standard"), TEXT("Standard"), TEXT("Mark a cell that touches no mark."), SEATS, 2, 2, 4, 0};
  return OK;
}

static int32_t start(uint32_t number, uint8_t *position) {
  (void)number;
  memset(position, 0, 2);
  return OK;
}

static int32_t parse(uint32_t number, str_t text, uint8_t *position, error_t *error) {
  (void)number;
  uint8_t marks = 0;
  for (uint32_t cell = 0; cell < N; cell++) {
    const char c = cell < text.len ? text.data[cell] : 0;
    if (c != '.' && c != 'x') {
      return refuse(error, MALFORMED, "cells", cell + 1, "want seven cells, each '.' or 'x'");
    }
    if (c == 'x' && !is_free(marks, (int)cell)) {
      return refuse(error, MALFORMED, "cells", cell + 1, "two marks cannot touch");
    }
    marks |= (uint8_t)((c == 'x') << cell);
  }
  if (text.len < N + 2 || text.data[N] != ' ' || (text.data[N + 1] != 'a' && text.data[N + 1] != 'b')) {
    return refuse(error, MALFORMED, "seat", text.len > N && text.data[N] == ' ' ? N + 2 : N + 1,
                  "want a space and the seat to move, a or b");
  }
  if (text.len > N + 2) {
    return refuse(error, MALFORMED, "seat", N + 3, "nothing may follow the seat to move");
  }
  int n_marks = 0;
  for (int cell = 0; cell < N; cell++) {
    n_marks += marks >> cell & 1;
  }
  if ((n_marks & 1) != (text.data[N + 1] == 'b')) {
    return refuse(error, MALFORMED, "seat", N + 2, "with that many marks it is the other's turn");
  }
  position[0] = marks;
  position[1] = (uint8_t)(n_marks & 1);
  return OK;
}

static int32_t format(uint32_t number, const uint8_t *position, const writer_t *out) {
  (void)number;
  char text[N + 2];
  for (int cell = 0; cell < N; cell++) {
    text[cell] = position[0] >> cell & 1 ? 'x' : '.';
  }
  text[N] = ' ';
  text[N + 1] = position[1] ? 'b' : 'a';
  return give(out, text, sizeof text);
}

static int32_t to_move(uint32_t number, const uint8_t *position, uint32_t *seat) {
  (void)number;
  *seat = position[1];
  return OK;
}

static int is_listed(uint8_t marks, int cell, str_t prefix) {
  return is_free(marks, cell) && (prefix.len == 0 || (prefix.len == 1 && prefix.data[0] == 'a' + cell));
}

static int32_t legal_moves(uint32_t number, const uint8_t *position, str_t prefix, const writer_t *out) {
  (void)number;
  for (int cell = 0; cell < N; cell++) {
    if (is_listed(position[0], cell, prefix) && give(out, CELLS[cell].data, 1) != OK) {
      return STOPPED;
    }
  }
  return OK;
}

static int32_t count_moves(uint32_t number, const uint8_t *position, str_t prefix, uint64_t *count) {
  (void)number;
  *count = 0;
  for (int cell = 0; cell < N; cell++) {
    *count += (uint64_t)is_listed(position[0], cell, prefix);
  }
  return OK;
}

static int32_t play(uint32_t number, const uint8_t *position, str_t move, uint8_t *next, const writer_t *canonical,
                    error_t *error) {
  (void)number;
  if (is_over(position[0])) {
    return refuse(error, GAME_OVER, "", 0, "no cell is free");
  }
  if (move.len != 1 || move.data[0] < 'a' || move.data[0] >= 'a' + N) {
    return refuse(error, MALFORMED, "cell", 1, "a move is a cell, a to g");
  }
  const int cell = move.data[0] - 'a';
  if (!is_free(position[0], cell)) {
    return refuse(error, ILLEGAL, "", 0, "that cell or one beside it is marked");
  }
  next[0] = (uint8_t)(position[0] | 1 << cell);
  next[1] = position[1] ^ 1;
  return canonical == NULL ? OK : give(canonical, move.data, 1);
}

static int32_t outcome(uint32_t number, const uint8_t *position, outcome_t *out, const writer_t *text) {
  (void)number;
  *out = (outcome_t){.over = (uint32_t)is_over(position[0]), .n_seats = 2};
  if (!out->over) {
    return OK;
  }
  const int loser = position[1];
  out->scores[!loser] = 1.0;
  out->places[!loser] = 1;
  out->places[loser] = 2;
  return text == NULL ? OK : give(text, "no cell is left to mark", 23);
}

/* ---- The search: everything to the end ---------------------------------- */

/* Whether the side to move wins, and in how many plies the game then ends. */
static int wins(uint8_t marks, uint32_t *plies, uint64_t *nodes) {
  int is_won = 0;
  *plies = 0;
  ++*nodes;
  for (int cell = 0; cell < N; cell++) {
    uint32_t below = 0;
    if (!is_free(marks, cell)) {
      continue;
    }
    const int is_lost = !wins((uint8_t)(marks | 1 << cell), &below, nodes);
    /* The winner hurries, the loser holds on. */
    if (is_lost > is_won || *plies == 0 || (is_lost == is_won && (is_won ? below + 1 < *plies : below + 1 > *plies))) {
      *plies = below + 1;
    }
    is_won |= is_lost;
  }
  return is_won;
}

static evaluation_t exact(int is_won, uint32_t plies, int seat, uint32_t source) {
  evaluation_t value = {PROVEN, is_won ? WIN : LOSS, plies, source, plies, 2, {0.0}};
  value.scores[is_won ? seat : !seat] = 1.0;
  return value;
}

static int32_t create(uint32_t number, uint64_t memory_bytes, uint32_t threads, void **context, error_t *error) {
  (void)number, (void)memory_bytes, (void)threads, (void)error;
  static int nothing_to_keep;
  *context = &nothing_to_keep;
  return OK;
}

static int is_asked(const request_t *request, int cell) {
  for (uint64_t i = 0; i < request->n_root_moves; i++) {
    if (request->root_moves[i].data[0] == 'a' + cell) {
      return 1;
    }
  }
  return request->n_root_moves == 0;
}

/* Wins before losses; the soonest win and the latest loss first. */
static int by_value(const void *left, const void *right) {
  const evaluation_t *a = &((const line_t *)left)->evaluation, *b = &((const line_t *)right)->evaluation;
  if (a->outcome != b->outcome) {
    return a->outcome > b->outcome ? -1 : 1;
  }
  const int order = (a->plies_to_end > b->plies_to_end) - (a->plies_to_end < b->plies_to_end);
  const int by_cell = (((const line_t *)left)->moves > ((const line_t *)right)->moves) ? 1 : -1;
  return order == 0 ? by_cell : a->outcome == WIN ? order : -order;
}

static int32_t run(void *context, const uint8_t *position, const request_t *request, const control_t *control,
                   error_t *error) {
  (void)context;
  if (is_over(position[0])) {
    return refuse(error, GAME_OVER, "", 0, "no cell is free");
  }
  line_t lines[N];
  report_t report = {.lines = lines, .nodes = 1, .stop = STOP_PROVEN};
  for (int cell = 0; cell < N; cell++) {
    uint32_t plies = 0;
    if (is_free(position[0], cell) && is_asked(request, cell)) {
      const int is_won = !wins((uint8_t)(position[0] | 1 << cell), &plies, &report.nodes);
      lines[report.n_lines++] = (line_t){&CELLS[cell], 1, exact(is_won, plies + 1, position[1], SOLVER)};
    }
  }
  qsort(lines, report.n_lines, sizeof lines[0], by_value);
  report.evaluation = lines[0].evaluation;
  report.depth = report.evaluation.depth;
  report.n_lines = report.n_lines < request->n_lines ? report.n_lines : request->n_lines;
  control->report(control->ctx, &report);
  return OK;
}

static void destroy(void *context) { (void)context; }

static int32_t evaluate(uint32_t number, const uint8_t *position, evaluation_t *out) {
  (void)number;
  uint32_t plies = 0;
  uint64_t nodes = 0;
  const int is_won = wins(position[0], &plies, &nodes);
  *out = exact(is_won, plies, position[1], plies == 0 ? TERMINAL : SOLVER);
  return OK;
}

/* ---- Symmetry: the row read from the other end -------------------------- */

static uint8_t mirrored(uint8_t marks) {
  uint8_t out = 0;
  for (int cell = 0; cell < N; cell++) {
    out |= (uint8_t)((marks >> cell & 1) << (N - 1 - cell));
  }
  return out;
}

static uint32_t symmetry_count(uint32_t number) { return (void)number, 2; }

static int32_t inverse(uint32_t number, uint32_t symmetry, uint32_t *out) {
  (void)number;
  *out = symmetry;
  return OK;
}

static int32_t apply(uint32_t number, uint32_t symmetry, const uint8_t *position, uint8_t *out) {
  (void)number;
  out[0] = symmetry ? mirrored(position[0]) : position[0];
  out[1] = position[1];
  return OK;
}

static int32_t apply_move(uint32_t number, uint32_t symmetry, const uint8_t *position, str_t move, const writer_t *out,
                          error_t *error) {
  (void)number, (void)position, (void)error;
  const int cell = move.data[0] - 'a';
  return give(out, CELLS[symmetry ? N - 1 - cell : cell].data, 1);
}

static int32_t apply_seat(uint32_t number, uint32_t symmetry, uint32_t seat, uint32_t *out) {
  (void)number, (void)symmetry;
  *out = seat;
  return OK;
}

static int32_t canonical(uint32_t number, const uint8_t *position, uint8_t *out, uint32_t *symmetry) {
  *symmetry = mirrored(position[0]) < position[0];
  return apply(number, *symmetry, position, out);
}

/* ---- Layout and reasons ------------------------------------------------- */

#define POINT(i) {{&"abcdefg"[i], 1}, i + 0.5, 0.5, 0.4, 2, 0, TEXT("")}

static int32_t board(uint32_t number, board_t *out) {
  static const point_t POINTS[N] = {POINT(0), POINT(1), POINT(2), POINT(3), POINT(4), POINT(5), POINT(6)};
  static const piece_t PIECE = {TEXT("x"), TEXT("mark"), TEXT("#203040"), TEXT(""), TEXT(""), 0, UINT32_MAX};
  (void)number;
  *out = (board_t){.width = N, .height = 1, .points = POINTS, .n_points = N, .pieces = &PIECE, .n_pieces = 1};
  return OK;
}

static int32_t pieces(uint32_t number, const uint8_t *position, const placer_t *out) {
  (void)number;
  for (uint32_t cell = 0; cell < N; cell++) {
    if (position[0] >> cell & 1 && out->place(out->ctx, cell, 0) != 0) {
      return STOPPED;
    }
  }
  return OK;
}

static int32_t explain(uint32_t number, const uint8_t *position, const report_t *report, uint64_t line_idx,
                       const explainer_t *out) {
  (void)number, (void)position;
  const line_t *line = &report->lines[line_idx];
  const int is_won = line->evaluation.outcome == WIN;
  const reason_t won = {TEXT("last_mark"), TEXT("You will have the last mark."), line->moves, 1};
  const reason_t lost = {TEXT("holds_on"), TEXT("It loses, but not sooner than others."), line->moves, 1};
  return out->give(out->ctx, is_won ? &won : &lost) == 0 ? OK : STOPPED;
}

/* ---- The tables --------------------------------------------------------- */

static const void *extension(str_t id) {
  static const rules_t RULES = {variant_count, variant, start, parse, format, to_move, legal_moves, count_moves, play,
                                outcome};
  static const search_t SEARCH = {create, run, destroy, evaluate};
  static const symmetry_t SYMMETRY = {symmetry_count, inverse, apply, apply_move, apply_seat, canonical};
  static const layout_t LAYOUT = {board, pieces};
  static const reasons_t REASONS = {explain};
  static const struct { const char *id; const void *table; } TABLES[] = {
      {"pentad.rules/1", &RULES},   {"pentad.search/1", &SEARCH},   {"pentad.symmetry/1", &SYMMETRY},
      {"pentad.layout/1", &LAYOUT}, {"pentad.reasons/1", &REASONS},
  };
  for (size_t i = 0; i < sizeof TABLES / sizeof TABLES[0]; i++) {
    if (id.len == strlen(TABLES[i].id) && memcmp(id.data, TABLES[i].id, (size_t)id.len) == 0) {
      return TABLES[i].table;
    }
  }
  return NULL;
}

__attribute__((visibility("default"))) const entry_t ruleset_entry = {
    .magic = UINT64_C(0x0a0d4441544e4550),
    .abi_major = 1,
    .abi_minor = 0,
    .struct_size = sizeof(entry_t),
    .id = TEXT("abi-1-0"),
    .name = TEXT("Marks apart"),
    .version = TEXT("1.0.0"),
    .rules = TEXT("In turn, mark a cell of seven in a row that touches no marked one. Who cannot loses."),
    .notation = TEXT("A position is the cells, '.' or 'x', and the seat to move: \".x...x. a\". A move is a cell: \"d\"."),
    .extension = extension,
};
