/* tictactoe.c - a complete rule set in plain C, for authors to read.
 *
 * "pentad.rules/1" alone makes a game complete: the host finds hints and
 * evaluations with its own search. "pentad.threats/1" shows how an optional extension
 * is written.
 * Build it from the root of the repository, and check it:
 *
 *   cc -shared -fPIC -std=c11 -O2 -I rulesets/abi/include \
 *      -o libruleset_tictactoe.so tests/plugins/tictactoe.c
 *   pentad check ./libruleset_tictactoe.so
 *
 * The file is in six parts: the board, text to board, board to text, the
 * functions of the rules, those of threats, and the tables that lead to them.
 */
#include <pentad/pentad.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- 1. The board ------------------------------------------------------ */

enum { EMPTY = 0, X = 1, O = 2 };

/* A position. The host copies, compares and hashes these bytes, so there is no
 * padding in it and nothing that could differ between equal positions: ten
 * bytes, each with a meaning. */
typedef struct {
  uint8_t cells[9]; /* row by row from the top: EMPTY, X or O */
  uint8_t to_move;  /* the seat: 0 is x, 1 is o */
} board_t;

/* Every way to have three in a row, with its name for people. */
static const struct {
  uint8_t cells[3];
  const char *name;
} LINES[8] = {
    {{0, 1, 2}, "row 1"},    {{3, 4, 5}, "row 2"},    {{6, 7, 8}, "row 3"},      {{0, 3, 6}, "column a"},
    {{1, 4, 7}, "column b"}, {{2, 5, 8}, "column c"}, {{0, 4, 8}, "a diagonal"}, {{2, 4, 6}, "a diagonal"},
};

/* The line in which `mark` has three, or null. */
static const char *three(const board_t *board, uint8_t mark) {
  for (int i = 0; i < 8; i++) {
    const uint8_t *line = LINES[i].cells;
    if (board->cells[line[0]] == mark && board->cells[line[1]] == mark && board->cells[line[2]] == mark) {
      return LINES[i].name;
    }
  }
  return NULL;
}

static int count(const board_t *board, uint8_t mark) {
  int n = 0;
  for (int i = 0; i < 9; i++) {
    n += board->cells[i] == mark;
  }
  return n;
}

static int is_over(const board_t *board) {
  return three(board, X) || three(board, O) || count(board, EMPTY) == 0;
}

/* Positions arrive as bytes without any alignment: copy them, never cast. */
static board_t load(const uint8_t *position) {
  board_t board;
  memcpy(&board, position, sizeof board);
  return board;
}

static void store(const board_t *board, uint8_t *position) { memcpy(position, board, sizeof *board); }

/* ---- 2. Text to board -------------------------------------------------- */

/* Fills the host's error and returns `status`, for the caller to return.
 * Lower case, no full stop; column 0 means "no particular character". */
static int32_t refuse(pentad_error_t *error, int32_t status, const char *field, uint32_t column, const char *format,
                      ...) {
  va_list arguments;
  va_start(arguments, format);
  int len = vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  error->message_len = len < (int)sizeof error->message ? (uint32_t)len : (uint32_t)sizeof error->message - 1;
  error->field_len = (uint32_t)strlen(field);
  memcpy(error->field, field, error->field_len);
  error->column = column;
  return status;
}

/* Reads "xo1/3/3" from `text`; `*at` is moved past it. Columns count
 * characters from 1. Everything before the invalid one is ASCII, so here
 * they are byte offsets plus 1. */
static int32_t parse_cells(pentad_str_t text, uint64_t *at, board_t *board, pentad_error_t *error) {
  for (int row = 0; row < 3; row++) {
    int file = 0;
    for (; *at < text.len && text.data[*at] != '/' && text.data[*at] != ' '; (*at)++) {
      const char c = text.data[*at];
      const uint32_t column = (uint32_t)*at + 1;
      const int n_empty = c >= '1' && c <= '9' ? c - '0' : 0; /* a run of empty cells */
      if (c != 'x' && c != 'o' && n_empty == 0) {
        return refuse(error, PENTAD_MALFORMED, "board", column,
                      "unknown character in row %d; expected x, o or a number of empty cells", row + 1);
      }
      if (file + (n_empty ? n_empty : 1) > 3) {
        return refuse(error, PENTAD_MALFORMED, "board", column, "row %d has more than 3 cells", row + 1);
      }
      if (n_empty == 0) {
        board->cells[3 * row + file] = c == 'x' ? X : O;
      }
      file += n_empty ? n_empty : 1; /* cells are EMPTY by default */
    }
    if (file < 3) {
      return refuse(error, PENTAD_MALFORMED, "board", (uint32_t)*at + 1, "row %d has %d of 3 cells", row + 1, file);
    }
    const char separator = row < 2 ? '/' : ' ';
    if (*at == text.len || text.data[*at] != separator) {
      return refuse(error, PENTAD_MALFORMED, row < 2 ? "board" : "side", (uint32_t)*at + 1,
                    row < 2 ? "expected 3 rows with '/' between them" : "expected a space and the side to move, x or o");
    }
    (*at)++;
  }
  return PENTAD_OK;
}

/* Whether this position can arise in a game: x begins, both move in turn, and no move
 * follows the end of the game. */
static int32_t check(const board_t *board, uint32_t side_column, pentad_error_t *error) {
  const int n_x = count(board, X), n_o = count(board, O);
  if (n_x != n_o && n_x != n_o + 1) {
    return refuse(error, PENTAD_MALFORMED, "board", 1, "%d x and %d o cannot be: x begins and both move in turn", n_x,
                  n_o);
  }
  if (board->to_move != (n_x == n_o ? 0 : 1)) {
    return refuse(error, PENTAD_MALFORMED, "side", side_column, "with %d x and %d o it is %c's turn", n_x, n_o,
                  n_x == n_o ? 'x' : 'o');
  }
  if (three(board, X) && three(board, O)) {
    return refuse(error, PENTAD_MALFORMED, "board", 1, "x and o cannot both have three in a row");
  }
  if (three(board, board->to_move == 0 ? X : O)) {
    return refuse(error, PENTAD_MALFORMED, "board", 1, "the side to move cannot have three in a row already");
  }
  return PENTAD_OK;
}

/* Reads a move, "b2", in lower or upper case. Returns the cell's index. */
static int32_t parse_move(pentad_str_t text, int *cell, pentad_error_t *error) {
  const char file = text.len > 0 ? (char)(text.data[0] | 0x20) : 0; /* 0x20 makes ASCII letters lower case */
  if (file < 'a' || file > 'c') {
    return refuse(error, PENTAD_MALFORMED, "file", 1, "a move begins with its file, a to c");
  }
  if (text.len < 2 || text.data[1] < '1' || text.data[1] > '3') {
    return refuse(error, PENTAD_MALFORMED, "rank", 2, "after the file comes the rank, 1 to 3");
  }
  if (text.len > 2) {
    return refuse(error, PENTAD_MALFORMED, "rank", 3, "a move has two characters");
  }
  *cell = 3 * (text.data[1] - '1') + (file - 'a');
  return PENTAD_OK;
}

/* ---- 3. Board to text -------------------------------------------------- */

/* Passes text to a writer of the host. The host may stop the output; callers then
 * return PENTAD_STOPPED. */
static int32_t give(const pentad_writer_t *out, const char *text, size_t len) {
  return out->write(out->ctx, text, len) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

static void move_text(int cell, char text[2]) {
  text[0] = (char)('a' + cell % 3);
  text[1] = (char)('1' + cell / 3);
}

static int begins_with(const char *text, size_t len, pentad_str_t prefix) {
  return prefix.len <= len && (prefix.len == 0 || memcmp(text, prefix.data, (size_t)prefix.len) == 0);
}

/* ---- 4. The functions of "pentad.rules/1" ------------------------------ */

#define TEXT(literal) {literal, sizeof literal - 1}

static const pentad_seat_t SEATS[2] = {
    {.id = TEXT("x"), .name = TEXT("Crosses"), .side = 0},
    {.id = TEXT("o"), .name = TEXT("Noughts"), .side = 1},
};

static uint32_t ttt_variant_count(void) { return 1; }

static int32_t ttt_variant(uint32_t variant, pentad_variant_t *out) {
  if (variant != 0) {
    return PENTAD_INVALID;
  }
  *out = (pentad_variant_t){
      .id = TEXT("standard"),
      .name = TEXT("Standard"),
      .summary = TEXT("Three in a row on a board of three by three."),
      .seats = SEATS,
      .n_seats = 2,
      .position_size = sizeof(board_t),
      .plies_max = 9,
  };
  return PENTAD_OK;
}

static int32_t ttt_start(uint32_t variant, uint8_t *position) {
  (void)variant; /* there is only one */
  const board_t board = {.to_move = 0};
  store(&board, position);
  return PENTAD_OK;
}

static int32_t ttt_parse(uint32_t variant, pentad_str_t text, uint8_t *position, pentad_error_t *error) {
  (void)variant;
  board_t board = {.to_move = 0};
  uint64_t at = 0;
  int32_t status = parse_cells(text, &at, &board, error);
  if (status != PENTAD_OK) {
    return status;
  }
  const uint32_t side_column = (uint32_t)at + 1;
  if (at == text.len || (text.data[at] != 'x' && text.data[at] != 'o')) {
    return refuse(error, PENTAD_MALFORMED, "side", side_column, "expected the side to move, x or o");
  }
  if (at + 1 != text.len) {
    return refuse(error, PENTAD_MALFORMED, "side", side_column + 1, "nothing may follow the side to move");
  }
  board.to_move = text.data[at] == 'o';
  status = check(&board, side_column, error);
  if (status == PENTAD_OK) {
    store(&board, position); /* only on PENTAD_OK */
  }
  return status;
}

static int32_t ttt_format(uint32_t variant, const uint8_t *position, const pentad_writer_t *out) {
  (void)variant;
  const board_t board = load(position);
  char text[16];
  size_t len = 0;
  for (int row = 0; row < 3; row++) {
    for (int file = 0; file < 3; file++) {
      const uint8_t cell = board.cells[3 * row + file];
      if (cell != EMPTY) {
        text[len++] = cell == X ? 'x' : 'o';
      } else if (file > 0 && board.cells[3 * row + file - 1] == EMPTY) {
        text[len - 1]++; /* the run continues */
      } else {
        text[len++] = '1';
      }
    }
    text[len++] = row < 2 ? '/' : ' ';
  }
  text[len++] = board.to_move == 0 ? 'x' : 'o';
  return give(out, text, len);
}

static int32_t ttt_to_move(uint32_t variant, const uint8_t *position, uint32_t *seat) {
  (void)variant;
  *seat = load(position).to_move;
  return PENTAD_OK;
}

static int32_t ttt_legal_moves(uint32_t variant, const uint8_t *position, pentad_str_t prefix,
                               const pentad_writer_t *out) {
  (void)variant;
  const board_t board = load(position);
  if (is_over(&board)) {
    return PENTAD_OK;
  }
  for (int cell = 0; cell < 9; cell++) {
    char text[2];
    move_text(cell, text);
    if (board.cells[cell] == EMPTY && begins_with(text, 2, prefix) && give(out, text, 2) == PENTAD_STOPPED) {
      return PENTAD_STOPPED;
    }
  }
  return PENTAD_OK;
}

static int32_t ttt_count_moves(uint32_t variant, const uint8_t *position, pentad_str_t prefix, uint64_t *n) {
  (void)variant;
  const board_t board = load(position);
  *n = 0;
  for (int cell = 0; cell < 9 && !is_over(&board); cell++) {
    char text[2];
    move_text(cell, text);
    *n += board.cells[cell] == EMPTY && begins_with(text, 2, prefix);
  }
  return PENTAD_OK;
}

static int32_t ttt_play(uint32_t variant, const uint8_t *position, pentad_str_t move, uint8_t *next,
                        const pentad_writer_t *canonical, pentad_error_t *error) {
  (void)variant;
  board_t board = load(position); /* a copy: the host's position is never changed */
  if (is_over(&board)) {
    return refuse(error, PENTAD_GAME_OVER, "", 0, "the game is over"); /* whatever the text */
  }
  int cell = 0;
  const int32_t status = parse_move(move, &cell, error);
  if (status != PENTAD_OK) {
    return status;
  }
  char text[2];
  move_text(cell, text);
  if (board.cells[cell] != EMPTY) {
    return refuse(error, PENTAD_ILLEGAL, "", 0, "%.2s is taken", text);
  }
  board.cells[cell] = board.to_move == 0 ? X : O;
  board.to_move ^= 1;
  store(&board, next);
  return canonical == NULL ? PENTAD_OK : give(canonical, text, 2);
}

static int32_t ttt_outcome(uint32_t variant, const uint8_t *position, pentad_outcome_t *out,
                           const pentad_writer_t *text) {
  (void)variant;
  const board_t board = load(position);
  const char *x_line = three(&board, X), *o_line = three(&board, O);
  *out = (pentad_outcome_t){.over = (uint32_t)is_over(&board), .n_seats = 2};
  if (!out->over) {
    return PENTAD_OK;
  }
  /* A win is 1 and a loss 0; a draw is half a point and the first place each. */
  out->scores[0] = x_line ? 1.0 : o_line ? 0.0 : 0.5;
  out->scores[1] = 1.0 - out->scores[0];
  out->places[0] = o_line ? 2 : 1;
  out->places[1] = x_line ? 2 : 1;
  if (text == NULL) {
    return PENTAD_OK;
  }
  char sentence[64];
  const int len = x_line || o_line ? snprintf(sentence, sizeof sentence, "%c wins with three in %s", x_line ? 'x' : 'o',
                                              x_line ? x_line : o_line)
                                   : snprintf(sentence, sizeof sentence, "a draw: the board is full");
  return give(text, sentence, (size_t)len);
}

/* ---- 5. Threats --------------------------------------------------------- */

static int32_t ttt_kinds(const pentad_threat_kind_lister_t *out) {
  const pentad_threat_kind_t kind = {.kind = TEXT("line"), .description = TEXT("three in a row, column or diagonal")};
  return out->give(out->ctx, &kind) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

/* The same board with the turn passed on. It may have one mark too many, so `parse`
 * would reject it; the other functions accept it. */
static int32_t ttt_turn_of(uint32_t variant, const uint8_t *position, uint32_t seat, uint8_t *out) {
  (void)variant;
  board_t board = load(position);
  if (is_over(&board)) {
    return PENTAD_UNSUPPORTED;
  }
  board.to_move = (uint8_t)seat;
  store(&board, out);
  return PENTAD_OK;
}

/* The cell that completes this line for the seat to move, or -1. */
static int missing_cell(const board_t *board, int line) {
  const uint8_t own = board->to_move == 0 ? X : O;
  int missing = -1;
  for (int i = 0; i < 3; i++) {
    const int cell = LINES[line].cells[i];
    if (board->cells[cell] == own) {
      continue;
    }
    if (board->cells[cell] != EMPTY || missing >= 0) {
      return -1;
    }
    missing = cell;
  }
  return missing;
}

/* A threat is a line, so the line's number is its key. There is no layout, so there are
 * no points to name. */
static int32_t ttt_list(uint32_t variant, const uint8_t *position, const pentad_threat_lister_t *out) {
  (void)variant;
  const board_t board = load(position);
  for (int line = 0; line < 8 && !is_over(&board); line++) {
    const int cell = missing_cell(&board, line);
    if (cell < 0) {
      continue;
    }
    char text[2];
    move_text(cell, text);
    const pentad_threat_t threat = {
        .seat = board.to_move, .kind = 0, .key = (uint64_t)line, .score = 1.0, .winning_move = {text, 2}};
    if (out->give(out->ctx, &threat) != 0) {
      return PENTAD_STOPPED;
    }
  }
  return PENTAD_OK;
}

static int32_t ttt_stops(uint32_t variant, const uint8_t *position, const pentad_threat_t *threats, uint64_t n_threats,
                         const pentad_stop_lister_t *out) {
  (void)variant;
  const board_t board = load(position);
  for (int cell = 0; cell < 9 && !is_over(&board); cell++) {
    if (board.cells[cell] != EMPTY) {
      continue;
    }
    board_t next = board; /* with the other side to move */
    next.cells[cell] = board.to_move == 0 ? X : O;
    next.to_move ^= 1;
    /* A finished game has no threats. */
    const int ends = is_over(&next);
    uint64_t stopped = 0;
    for (uint64_t t = 0; t < n_threats; t++) {
      stopped |= (uint64_t)(ends || missing_cell(&next, (int)threats[t].key) < 0) << t;
    }
    int n_left = 0;
    for (int line = 0; line < 8 && !ends; line++) {
      n_left += missing_cell(&next, line) >= 0;
    }
    char text[2];
    move_text(cell, text);
    const pentad_str_t move = {text, 2};
    if (stopped != 0 && out->give(out->ctx, move, stopped, n_left == 0) != 0) {
      return PENTAD_STOPPED;
    }
  }
  return PENTAD_OK;
}

/* ---- 6. The tables ----------------------------------------------------- */

static const pentad_rules_t RULES = {
    .variant_count = ttt_variant_count,
    .variant = ttt_variant,
    .start = ttt_start,
    .parse = ttt_parse,
    .format = ttt_format,
    .to_move = ttt_to_move,
    .legal_moves = ttt_legal_moves,
    .count_moves = ttt_count_moves,
    .play = ttt_play,
    .outcome = ttt_outcome,
};

static const pentad_threats_t THREATS = {
    .kinds = ttt_kinds,
    .turn_of = ttt_turn_of,
    .list = ttt_list,
    .stops = ttt_stops,
};

static int is_id(pentad_str_t id, const char *known) {
  return id.len == strlen(known) && memcmp(id.data, known, (size_t)id.len) == 0;
}

/* A host may request extensions that did not exist when this was written: unknown ones
 * are null. */
static const void *ttt_extension(pentad_str_t id) {
  if (is_id(id, PENTAD_RULES_1)) {
    return &RULES;
  }
  return is_id(id, PENTAD_THREATS_1) ? &THREATS : NULL;
}

/* The only symbol that the library exports. */
const pentad_entry_t ruleset_entry = {
    .magic = PENTAD_MAGIC,
    .abi_major = PENTAD_ABI_MAJOR,
    .abi_minor = PENTAD_ABI_MINOR,
    .struct_size = sizeof(pentad_entry_t),
    .id = TEXT("tictactoe"),
    .name = TEXT("Tic-tac-toe"),
    .version = TEXT("1.0.0"),
    .rules = TEXT("Two players put their mark, x or o, on an empty cell in turn; x begins.\n"
                  "Who has three in a row, column or diagonal first wins. A full board is a draw."),
    .notation = TEXT("A position is the rows from the top, separated by '/', with x, o and the number of\n"
                     "empty cells in a run, then the side to move: \"xo1/1x1/3 o\".\n"
                     "A move is the file, a to c, and the rank from the top, 1 to 3: \"b2\"."),
    .init = NULL, /* nothing to prepare */
    .extension = ttt_extension,
};
