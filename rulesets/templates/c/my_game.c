/* My Game, a rule set for Pentad.
 *
 * Five parts: the rules, text to positions, positions to text, the drawing of the board,
 * and the tables that lead to all functions. What each function must do is in
 * include/pentad/rules.h and layout.h.
 *
 * Replace this game by your own: two players put a stone on an empty cell in turn, and
 * three in a row win.
 */
#include <pentad/pentad.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- 1. The rules ------------------------------------------------------- */

enum { SIZE = 3, ROW = 3, CELLS = SIZE * SIZE, NOBODY = 0 };

/* A position. The host copies, compares and hashes these bytes: there is no padding, and
 * equal positions have equal bytes. */
typedef struct {
  uint8_t cells[CELLS]; /* row by row from the top: NOBODY, or 1 + the seat */
  uint8_t to_move;      /* the seat: 0 or 1 */
} position_t;

static const char *const PLAYERS[2] = {"Black", "White"};
static const char LETTERS[2] = {'b', 'w'};

/* Whether `owner` (1 + the seat) has a whole row from this cell in this direction. */
static int has_row(const position_t *position, int owner, int column, int row, int right, int down) {
  for (int step = 0; step < ROW; step++, column += right, row += down) {
    const int is_on_board = column >= 0 && column < SIZE && row >= 0 && row < SIZE;
    if (!is_on_board || position->cells[row * SIZE + column] != owner) {
      return 0;
    }
  }
  return 1;
}

static int has_won(const position_t *position, int seat) {
  static const int DIRECTIONS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
  for (int at = 0; at < 4 * CELLS; at++) {
    const int cell = at / 4, *direction = DIRECTIONS[at % 4];
    if (has_row(position, 1 + seat, cell % SIZE, cell / SIZE, direction[0], direction[1])) {
      return 1;
    }
  }
  return 0;
}

static int count(const position_t *position, int owner) {
  int n = 0;
  for (int cell = 0; cell < CELLS; cell++) {
    n += position->cells[cell] == owner;
  }
  return n;
}

static int is_over(const position_t *position) {
  return has_won(position, 0) || has_won(position, 1) || count(position, NOBODY) == 0;
}

/* ---- 2. Text to positions ------------------------------------------------ */

/* The host's bytes have no alignment: copy them, never cast. */
static position_t load(const uint8_t *bytes) {
  position_t position;
  memcpy(&position, bytes, sizeof position);
  return position;
}

/* Fills the host's error and returns `status`. The message is in lower case without a full
 * stop; `column` counts characters from 1, and 0 means no particular one. */
static int32_t refuse(pentad_error_t *error, int32_t status, const char *field, uint64_t column, const char *format,
                      ...) {
  va_list arguments;
  va_start(arguments, format);
  const int len = vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  error->message_len = len < (int)sizeof error->message ? (uint32_t)len : (uint32_t)sizeof error->message - 1;
  error->field_len = (uint32_t)strlen(field);
  memcpy(error->field, field, error->field_len);
  error->column = (uint32_t)column;
  return status;
}

/* Reads the rows, and moves `*at` past them. */
static int32_t parse_rows(pentad_str_t text, uint64_t *at, position_t *position, pentad_error_t *error) {
  for (int row = 0; row < SIZE; row++) {
    if (row > 0 && (*at == text.len || text.data[(*at)++] != '/')) {
      return refuse(error, PENTAD_MALFORMED, "board", *at, "expected `/` and row %d of %d", row + 1, SIZE);
    }
    for (int column = 0; column < SIZE; (*at)++) {
      const char letter = *at < text.len ? text.data[*at] : ' ';
      const int n_empty = letter >= '1' && letter <= '0' + SIZE - column ? letter - '0' : 0;
      if (n_empty == 0 && letter != LETTERS[0] && letter != LETTERS[1]) {
        return refuse(error, PENTAD_MALFORMED, "board", *at + 1,
                      "expected `b`, `w` or a number of the %d cells left in row %d", SIZE - column, row + 1);
      }
      if (n_empty == 0) {
        position->cells[row * SIZE + column] = letter == LETTERS[0] ? 1 : 2;
      }
      column += n_empty ? n_empty : 1;
    }
  }
  return PENTAD_OK;
}

/* Refuses what no game leads to. */
static int32_t check(const position_t *position, pentad_error_t *error) {
  if (count(position, 1) != count(position, 2) + position->to_move) {
    return refuse(error, PENTAD_MALFORMED, "board", 1, "the numbers of stones do not fit the side to move");
  }
  if (has_won(position, position->to_move)) {
    return refuse(error, PENTAD_MALFORMED, "board", 1, "the side to move has won already");
  }
  return PENTAD_OK;
}

static int32_t game_parse(uint32_t variant, pentad_str_t text, uint8_t *bytes, pentad_error_t *error) {
  (void)variant; /* there is only one */
  position_t position = {.to_move = 0};
  uint64_t at = 0;
  int32_t status = parse_rows(text, &at, &position, error);
  if (status != PENTAD_OK) {
    return status;
  }
  if (text.len != at + 2 || text.data[at] != ' ' || (text.data[at + 1] != 'b' && text.data[at + 1] != 'w')) {
    return refuse(error, PENTAD_MALFORMED, "side", at + 1, "expected a space and the side to move, `b` or `w`");
  }
  position.to_move = text.data[at + 1] == LETTERS[1];
  status = check(&position, error);
  if (status == PENTAD_OK) {
    memcpy(bytes, &position, sizeof position); /* only on PENTAD_OK */
  }
  return status;
}

/* Reads a move such as "b2". */
static int32_t parse_move(pentad_str_t text, int *cell, pentad_error_t *error) {
  if (text.len == 0 || text.data[0] < 'a' || text.data[0] >= 'a' + SIZE) {
    return refuse(error, PENTAD_MALFORMED, "move", 1, "expected a file, `a` to `%c`", 'a' + SIZE - 1);
  }
  if (text.len == 1 || text.data[1] < '1' || text.data[1] >= '1' + SIZE) {
    return refuse(error, PENTAD_MALFORMED, "move", 2, "expected a rank, `1` to `%d`", SIZE);
  }
  if (text.len > 2) {
    return refuse(error, PENTAD_MALFORMED, "move", 3, "expected nothing after the cell");
  }
  *cell = (text.data[1] - '1') * SIZE + (text.data[0] - 'a');
  return PENTAD_OK;
}

/* ---- 3. Positions to text ------------------------------------------------ */

/* Hands text to the host. If the host wants no more, the caller returns at once. */
static int32_t give(const pentad_writer_t *out, const char *text, size_t len) {
  return out->write(out->ctx, text, len) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

static int32_t game_format(uint32_t variant, const uint8_t *bytes, const pentad_writer_t *out) {
  (void)variant;
  const position_t position = load(bytes);
  char text[CELLS + SIZE + 2];
  size_t len = 0;
  for (int cell = 0; cell < CELLS; cell++) {
    const int owner = position.cells[cell], follows = cell % SIZE > 0;
    if (owner != NOBODY) {
      text[len++] = LETTERS[owner - 1];
    } else if (follows && position.cells[cell - 1] == NOBODY) {
      text[len - 1]++; /* the run of empty cells goes on */
    } else {
      text[len++] = '1';
    }
    if (cell % SIZE == SIZE - 1) {
      text[len++] = cell < CELLS - 1 ? '/' : ' ';
    }
  }
  text[len++] = LETTERS[position.to_move];
  return give(out, text, len);
}

/* Calls `visit` with the moves that begin with `prefix`, in the order of their texts. */
static int32_t each_move(const uint8_t *bytes, pentad_str_t prefix, int32_t (*visit)(void *ctx, const char *text),
                         void *ctx) {
  const position_t position = load(bytes);
  if (is_over(&position) || prefix.len > 2) {
    return PENTAD_OK;
  }
  for (int at = 0; at < CELLS; at++) {
    const int column = at / SIZE, row = at % SIZE;
    const char text[3] = {(char)('a' + column), (char)('1' + row), 0};
    const int matches = prefix.len == 0 || memcmp(text, prefix.data, (size_t)prefix.len) == 0;
    if (position.cells[row * SIZE + column] == NOBODY && matches && visit(ctx, text) != PENTAD_OK) {
      return PENTAD_STOPPED;
    }
  }
  return PENTAD_OK;
}

static int32_t give_move(void *out, const char *text) { return give((const pentad_writer_t *)out, text, 2); }

static int32_t count_move(void *n, const char *text) {
  (void)text;
  ++*(uint64_t *)n;
  return PENTAD_OK;
}

static int32_t game_legal_moves(uint32_t variant, const uint8_t *bytes, pentad_str_t prefix,
                                const pentad_writer_t *out) {
  (void)variant;
  return each_move(bytes, prefix, give_move, (void *)out);
}

static int32_t game_count_moves(uint32_t variant, const uint8_t *bytes, pentad_str_t prefix, uint64_t *n) {
  (void)variant;
  *n = 0;
  return each_move(bytes, prefix, count_move, n);
}

static int32_t game_play(uint32_t variant, const uint8_t *bytes, pentad_str_t move, uint8_t *next,
                         const pentad_writer_t *canonical, pentad_error_t *error) {
  (void)variant;
  position_t position = load(bytes); /* a copy: the host's is never changed */
  if (is_over(&position)) {
    return refuse(error, PENTAD_GAME_OVER, "", 0, "the game is over"); /* whatever the text */
  }
  int cell = 0;
  const int32_t status = parse_move(move, &cell, error);
  if (status != PENTAD_OK) {
    return status;
  }
  if (position.cells[cell] != NOBODY) {
    return refuse(error, PENTAD_ILLEGAL, "", 0, "%.2s is not empty", move.data);
  }
  position.cells[cell] = (uint8_t)(1 + position.to_move);
  position.to_move ^= 1;
  memcpy(next, &position, sizeof position);
  return canonical == NULL ? PENTAD_OK : give(canonical, move.data, 2);
}

static int32_t game_outcome(uint32_t variant, const uint8_t *bytes, pentad_outcome_t *out,
                            const pentad_writer_t *text) {
  (void)variant;
  const position_t position = load(bytes);
  *out = (pentad_outcome_t){.over = (uint32_t)is_over(&position), .n_seats = 2};
  if (!out->over) {
    return PENTAD_OK;
  }
  const int winner = has_won(&position, 0) ? 0 : has_won(&position, 1) ? 1 : -1;
  for (int seat = 0; seat < 2; seat++) {
    out->scores[seat] = winner < 0 ? 0.5 : seat == winner;
    out->places[seat] = winner < 0 || seat == winner ? 1 : 2;
  }
  if (text == NULL) {
    return PENTAD_OK;
  }
  char sentence[64] = "the board is full";
  if (winner >= 0) {
    snprintf(sentence, sizeof sentence, "%s has three in a row", PLAYERS[winner]);
  }
  return give(text, sentence, strlen(sentence));
}

static int32_t game_to_move(uint32_t variant, const uint8_t *bytes, uint32_t *seat) {
  (void)variant;
  *seat = load(bytes).to_move;
  return PENTAD_OK;
}

static int32_t game_start(uint32_t variant, uint8_t *bytes) {
  (void)variant;
  memset(bytes, 0, sizeof(position_t));
  return PENTAD_OK;
}

#define TEXT(literal) {literal, sizeof literal - 1}

static uint32_t game_variant_count(void) { return 1; }

static int32_t game_variant(uint32_t variant, pentad_variant_t *out) {
  static const pentad_seat_t SEATS[2] = {
      {.id = TEXT("b"), .name = TEXT("Black"), .side = 0},
      {.id = TEXT("w"), .name = TEXT("White"), .side = 1},
  };
  if (variant != 0) {
    return PENTAD_INVALID;
  }
  *out = (pentad_variant_t){
      .id = TEXT("standard"),
      .name = TEXT("Standard"),
      .summary = TEXT("Three in a row on three by three cells."),
      .seats = SEATS,
      .n_seats = 2,
      .position_size = sizeof(position_t),
      .plies_max = CELLS,
  };
  return PENTAD_OK;
}

/* ---- 4. The drawing of the board ------------------------------------------ */

/* Ids of points are those in moves: a click on a point enters it. */
static int32_t game_board(uint32_t variant, pentad_board_t *out) {
  (void)variant;
#define CELL(name, column, row)                                                                                       \
  {.id = TEXT(name), .x = column + 0.5, .y = row + 0.5, .radius = 0.48, .shape = PENTAD_POINT_CELL,                  \
   .colour = TEXT("#e3d5b8")}
  static const pentad_point_t POINTS[CELLS] = {
      CELL("a1", 0, 0), CELL("b1", 1, 0), CELL("c1", 2, 0), CELL("a2", 0, 1), CELL("b2", 1, 1),
      CELL("c2", 2, 1), CELL("a3", 0, 2), CELL("b3", 1, 2), CELL("c3", 2, 2),
  };
  static const pentad_piece_t PIECES[2] = {
      {.id = TEXT("b"), .name = TEXT("black stone"), .fill = TEXT("#222222"), .stroke = TEXT("#000000"), .seat = 0},
      {.id = TEXT("w"), .name = TEXT("white stone"), .fill = TEXT("#fafafa"), .stroke = TEXT("#777777"), .seat = 1},
  };
  *out = (pentad_board_t){
      .width = SIZE, .height = SIZE, .points = POINTS, .n_points = CELLS, .pieces = PIECES, .n_pieces = 2};
  return PENTAD_OK;
}

static int32_t game_pieces(uint32_t variant, const uint8_t *bytes, const pentad_placer_t *out) {
  (void)variant;
  const position_t position = load(bytes);
  for (uint32_t cell = 0; cell < CELLS; cell++) {
    const int owner = position.cells[cell];
    if (owner != NOBODY && out->place(out->ctx, cell, (uint32_t)owner - 1) != 0) {
      return PENTAD_STOPPED;
    }
  }
  return PENTAD_OK;
}

/* ---- 5. The tables -------------------------------------------------------- */

static const pentad_rules_t RULES = {
    .variant_count = game_variant_count,
    .variant = game_variant,
    .start = game_start,
    .parse = game_parse,
    .format = game_format,
    .to_move = game_to_move,
    .legal_moves = game_legal_moves,
    .count_moves = game_count_moves,
    .play = game_play,
    .outcome = game_outcome,
};

static const pentad_layout_ext_t LAYOUT = {.board = game_board, .pieces = game_pieces};

static int is_id(pentad_str_t id, const char *known) {
  return id.len == strlen(known) && memcmp(id.data, known, (size_t)id.len) == 0;
}

/* The host may ask for abilities that this file does not have, also for unknown ones. */
static const void *game_extension(pentad_str_t id) {
  if (is_id(id, PENTAD_RULES_1)) {
    return &RULES;
  }
  return is_id(id, PENTAD_LAYOUT_1) ? &LAYOUT : NULL;
}

/* The only symbol that the library exports. */
const pentad_entry_t ruleset_entry = {
    .magic = PENTAD_MAGIC,
    .abi_major = PENTAD_ABI_MAJOR,
    .abi_minor = PENTAD_ABI_MINOR,
    .struct_size = sizeof(pentad_entry_t),
    .id = TEXT("my-game"),
    .name = TEXT("My Game"),
    .version = TEXT("1.0.0"),
    .rules = TEXT("Put a stone on an empty cell in turn. Three in a row, in any direction, win; a full board is a\n"
                  "draw."),
    .notation = TEXT("A position lists the rows from the top, `b` and `w` for stones and digits for runs of empty\n"
                     "cells, then the side to move: `3/1b1/3 w`. A move is a cell: the file, `a` to `c`, and the\n"
                     "rank from the top, `b2`."),
    .extension = game_extension,
};
