// My Game, a rule set for Pentad.
//
// Four parts: the rules, the text of positions and moves, the drawing of the board, and the
// C functions that lead to them. What each of those must do is in include/pentad/rules.h
// and layout.h.
//
// Replace this game by your own: two players put a stone on an empty cell in turn, and
// three in a row win.
#include <pentad/pentad.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

// ---- 1. The rules ----------------------------------------------------------

constexpr int SIZE = 3, ROW = 3, CELLS = SIZE * SIZE;
constexpr std::array<std::string_view, 2> PLAYERS = {"Black", "White"};
constexpr std::array<char, 2> LETTERS = {'b', 'w'};

// A position as the host keeps it: bytes without padding, equal for equal positions.
struct Position {
  std::array<uint8_t, CELLS> cells{};  // row by row from the top: 0, or 1 + the seat
  uint8_t to_move = 0;                 // the seat: 0 or 1

  bool has_won(int seat) const {
    for (auto [right, down] : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}}) {
      for (int cell = 0; cell < CELLS; cell++) {
        int step = 0, column = cell % SIZE, row = cell / SIZE;
        while (step < ROW && column >= 0 && column < SIZE && row < SIZE && cells[row * SIZE + column] == seat + 1) {
          step++, column += right, row += down;
        }
        if (step == ROW) return true;
      }
    }
    return false;
  }

  int count(int owner) const { return static_cast<int>(std::count(cells.begin(), cells.end(), owner)); }
  bool is_over() const { return has_won(0) || has_won(1) || count(0) == 0; }

  Position play(int cell) const {
    Position next = *this;
    next.cells[cell] = 1 + to_move;
    next.to_move = 1 - to_move;
    return next;
  }
};
static_assert(sizeof(Position) == CELLS + 1, "no padding");

// ---- 2. Texts --------------------------------------------------------------

// Why a text was refused: thrown where it is found, told to the host by `guarded`.
struct Refusal {
  int32_t status;            // PENTAD_MALFORMED, PENTAD_ILLEGAL or PENTAD_GAME_OVER
  std::string_view field;    // the part of the text; may be empty
  uint64_t column;           // the character, from 1; 0 for none
  std::string message;       // in lower case, without a full stop
};

std::string format(const Position& position) {
  std::string text;
  for (int cell = 0; cell < CELLS; cell++) {
    const int owner = position.cells[cell];
    if (owner != 0) {
      text += LETTERS[owner - 1];
    } else if (cell % SIZE > 0 && position.cells[cell - 1] == 0) {
      text.back()++;  // the run of empty cells goes on
    } else {
      text += '1';
    }
    if (cell % SIZE == SIZE - 1) text += cell < CELLS - 1 ? '/' : ' ';
  }
  return text + LETTERS[position.to_move];
}

Position parse(std::string_view text) {
  Position position;
  size_t at = 0;
  auto letter = [&] { return at < text.size() ? text[at] : '\0'; };
  for (int row = 0; row < SIZE; row++) {
    if (row > 0 && letter() != '/') {
      throw Refusal{PENTAD_MALFORMED, "board", at + 1, "expected `/` and row " + std::to_string(row + 1)};
    }
    at += row > 0;
    for (int column = 0; column < SIZE; at++) {
      const int n_empty = letter() >= '1' && letter() <= '0' + SIZE - column ? letter() - '0' : 0;
      if (n_empty == 0 && letter() != LETTERS[0] && letter() != LETTERS[1]) {
        throw Refusal{PENTAD_MALFORMED, "board", at + 1,
                      "expected `b`, `w` or a number of the cells left in row " + std::to_string(row + 1)};
      }
      if (n_empty == 0) position.cells[row * SIZE + column] = letter() == LETTERS[0] ? 1 : 2;
      column += std::max(n_empty, 1);
    }
  }
  const auto side = text.substr(at);
  if (side != " b" && side != " w") {
    throw Refusal{PENTAD_MALFORMED, "side", at + 1, "expected a space and the side to move, `b` or `w`"};
  }
  position.to_move = side == " w";
  if (position.count(1) != position.count(2) + position.to_move) {
    throw Refusal{PENTAD_MALFORMED, "board", 1, "the numbers of stones do not fit the side to move"};
  }
  if (position.has_won(position.to_move)) {
    throw Refusal{PENTAD_MALFORMED, "board", 1, "the side to move has won already"};
  }
  return position;
}

std::string move_text(int cell) { return {static_cast<char>('a' + cell % SIZE), static_cast<char>('1' + cell / SIZE)}; }

// The moves that begin with `prefix`, in the order of their texts.
std::vector<std::string> moves(const Position& position, std::string_view prefix) {
  std::vector<std::string> found;
  if (position.is_over()) return found;
  for (int cell = 0; cell < CELLS; cell++) {
    const auto text = move_text(cell);
    if (position.cells[cell] == 0 && text.starts_with(prefix)) found.push_back(text);
  }
  std::sort(found.begin(), found.end());
  return found;
}

int parse_move(const Position& position, std::string_view text) {
  if (position.is_over()) throw Refusal{PENTAD_GAME_OVER, "", 0, "the game is over"};  // whatever the text
  if (text.empty() || text[0] < 'a' || text[0] >= 'a' + SIZE) {
    throw Refusal{PENTAD_MALFORMED, "move", 1, "expected a file, `a` to `c`"};
  }
  if (text.size() < 2 || text[1] < '1' || text[1] >= '1' + SIZE) {
    throw Refusal{PENTAD_MALFORMED, "move", 2, "expected a rank, `1` to `3`"};
  }
  if (text.size() > 2) throw Refusal{PENTAD_MALFORMED, "move", 3, "expected nothing after the cell"};
  const int cell = (text[1] - '1') * SIZE + (text[0] - 'a');
  if (position.cells[cell] != 0) throw Refusal{PENTAD_ILLEGAL, "", 0, std::string(text) + " is not empty"};
  return cell;
}

// ---- 3. The drawing --------------------------------------------------------

constexpr pentad_str_t str(std::string_view text) { return {text.data(), text.size()}; }

// Ids of points are those in moves: a click on a point enters it.
const pentad_board_t& board() {
  static const auto names = [] {
    std::array<std::string, CELLS> made;
    for (int cell = 0; cell < CELLS; cell++) made[cell] = move_text(cell);
    return made;
  }();
  static const auto points = [] {
    std::array<pentad_point_t, CELLS> made{};
    for (int cell = 0; cell < CELLS; cell++) {
      made[cell] = {.id = str(names[cell]), .x = cell % SIZE + 0.5, .y = cell / SIZE + 0.5, .radius = 0.48,
                    .shape = PENTAD_POINT_CELL, .reserved = 0, .colour = str("#e3d5b8")};
    }
    return made;
  }();
  static constexpr std::array<pentad_piece_t, 2> pieces = {{
      {.id = str("b"), .name = str("black stone"), .fill = str("#222222"), .stroke = str("#000000"), .label = {},
       .shape = PENTAD_PIECE_DISC, .seat = 0},
      {.id = str("w"), .name = str("white stone"), .fill = str("#fafafa"), .stroke = str("#777777"), .label = {},
       .shape = PENTAD_PIECE_DISC, .seat = 1},
  }};
  static const pentad_board_t drawing = [] {
    pentad_board_t made{};
    made.width = made.height = SIZE;
    made.points = points.data(), made.n_points = points.size();
    made.pieces = pieces.data(), made.n_pieces = pieces.size();
    return made;
  }();
  return drawing;
}

// ---- 4. The functions of the ABI -------------------------------------------

// Runs `body`, and turns what it throws into a status: no exception may leave the library.
template <typename Body>
int32_t guarded(pentad_error_t* error, Body body) {
  try {
    return body();
  } catch (const Refusal& refusal) {
    if (error == nullptr) return PENTAD_FAULT;
    error->column = static_cast<uint32_t>(refusal.column);
    error->field_len = static_cast<uint32_t>(refusal.field.copy(error->field, sizeof error->field));
    error->message_len = static_cast<uint32_t>(refusal.message.copy(error->message, sizeof error->message));
    return refusal.status;
  } catch (...) {
    return PENTAD_FAULT;
  }
}

// The host's bytes have no alignment: copied, never cast.
Position load(const uint8_t* bytes) {
  Position position;
  std::memcpy(&position, bytes, sizeof position);
  return position;
}

void store(const Position& position, uint8_t* bytes) { std::memcpy(bytes, &position, sizeof position); }

std::string_view view(pentad_str_t text) { return {text.data, text.data == nullptr ? 0 : text.len}; }

// Hands text to the host. If the host wants no more, the caller returns at once.
int32_t give(const pentad_writer_t* out, std::string_view text) {
  return out->write(out->ctx, text.data(), text.size()) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

constexpr std::array<pentad_seat_t, 2> SEATS = {{
    {.id = str("b"), .name = str("Black"), .side = 0, .reserved = 0},
    {.id = str("w"), .name = str("White"), .side = 1, .reserved = 0},
}};

constexpr pentad_rules_t RULES = {
    .variant_count = []() -> uint32_t { return 1; },
    .variant = [](uint32_t variant, pentad_variant_t* out) -> int32_t {
      if (variant != 0) return PENTAD_INVALID;
      *out = {.id = str("standard"), .name = str("Standard"),
              .summary = str("Three in a row on three by three cells."),
              .seats = SEATS.data(), .n_seats = SEATS.size(), .position_size = sizeof(Position),
              .plies_max = CELLS, .reserved = 0};
      return PENTAD_OK;
    },
    .start = [](uint32_t, uint8_t* bytes) -> int32_t {
      store(Position{}, bytes);
      return PENTAD_OK;
    },
    .parse = [](uint32_t, pentad_str_t text, uint8_t* bytes, pentad_error_t* error) -> int32_t {
      return guarded(error, [&] {
        store(parse(view(text)), bytes);
        return PENTAD_OK;
      });
    },
    .format = [](uint32_t, const uint8_t* bytes, const pentad_writer_t* out) -> int32_t {
      return guarded(nullptr, [&] { return give(out, format(load(bytes))); });
    },
    .to_move = [](uint32_t, const uint8_t* bytes, uint32_t* seat) -> int32_t {
      *seat = load(bytes).to_move;
      return PENTAD_OK;
    },
    .legal_moves = [](uint32_t, const uint8_t* bytes, pentad_str_t prefix, const pentad_writer_t* out) -> int32_t {
      return guarded(nullptr, [&] {
        for (const auto& text : moves(load(bytes), view(prefix))) {
          if (give(out, text) != PENTAD_OK) return PENTAD_STOPPED;
        }
        return PENTAD_OK;
      });
    },
    .count_moves = [](uint32_t, const uint8_t* bytes, pentad_str_t prefix, uint64_t* count) -> int32_t {
      return guarded(nullptr, [&] {
        *count = moves(load(bytes), view(prefix)).size();
        return PENTAD_OK;
      });
    },
    .play = [](uint32_t, const uint8_t* bytes, pentad_str_t move, uint8_t* next, const pentad_writer_t* canonical,
               pentad_error_t* error) -> int32_t {
      return guarded(error, [&] {
        const Position position = load(bytes);
        const int cell = parse_move(position, view(move));
        store(position.play(cell), next);
        return canonical == nullptr ? PENTAD_OK : give(canonical, move_text(cell));
      });
    },
    .outcome = [](uint32_t, const uint8_t* bytes, pentad_outcome_t* out, const pentad_writer_t* text) -> int32_t {
      return guarded(nullptr, [&] {
        const Position position = load(bytes);
        *out = {};
        out->over = position.is_over(), out->n_seats = 2;
        if (!out->over) return PENTAD_OK;
        std::optional<int> winner;
        for (int seat : {0, 1}) {
          if (position.has_won(seat)) winner = seat;
        }
        for (int seat : {0, 1}) {
          out->scores[seat] = winner ? *winner == seat : 0.5;
          out->places[seat] = winner && *winner != seat ? 2 : 1;
        }
        if (text == nullptr) return PENTAD_OK;
        return give(text, winner ? std::string(PLAYERS[*winner]) + " has three in a row" : "the board is full");
      });
    },
};

constexpr pentad_layout_ext_t LAYOUT = {
    .board = [](uint32_t, pentad_board_t* out) -> int32_t {
      return guarded(nullptr, [&] {
        *out = board();
        return PENTAD_OK;
      });
    },
    .pieces = [](uint32_t, const uint8_t* bytes, const pentad_placer_t* out) -> int32_t {
      const Position position = load(bytes);
      for (int cell = 0; cell < CELLS; cell++) {
        const int owner = position.cells[cell];
        if (owner != 0 && out->place(out->ctx, cell, owner - 1) != 0) return PENTAD_STOPPED;
      }
      return PENTAD_OK;
    },
};

}  // namespace

// The only symbol that the library exports.
extern "C" const pentad_entry_t ruleset_entry = {
    .magic = PENTAD_MAGIC,
    .abi_major = PENTAD_ABI_MAJOR,
    .abi_minor = PENTAD_ABI_MINOR,
    .struct_size = sizeof(pentad_entry_t),
    .reserved = 0,
    .id = str("my-game"),
    .name = str("My Game"),
    .version = str("1.0.0"),
    .rules = str("Put a stone on an empty cell in turn. Three in a row, in any direction, win; a full board is a\n"
                 "draw."),
    .notation = str("A position lists the rows from the top, `b` and `w` for stones and digits for runs of empty\n"
                    "cells, then the side to move: `3/1b1/3 w`. A move is a cell: the file, `a` to `c`, and the\n"
                    "rank from the top, `b2`."),
    .init = nullptr,
    // The host may ask for abilities that this file does not have, also for unknown ones.
    .extension = [](pentad_str_t id) -> const void* {
      if (view(id) == PENTAD_RULES_1) return &RULES;
      return view(id) == PENTAD_LAYOUT_1 ? &LAYOUT : nullptr;
    },
};
