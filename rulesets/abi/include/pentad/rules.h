/* pentad/rules.h - "pentad.rules/1": the rules of a game.
 *
 * A plugin with this extension alone is complete: the host finds hints and
 * evaluations for it with a search of its own.
 *
 * A position is a block of `position_size` bytes, owned by the host, that holds
 * everything the rules need to continue the game. The host copies, compares and hashes
 * these bytes, so equal positions must have equal bytes: no padding left unset,
 * no pointers. The host makes no positions of its own: it passes only bytes
 * that `start`, `parse`, `play` or an extension of this plugin wrote.
 *
 * Nothing here keeps state between calls.
 */
#ifndef PENTAD_RULES_H
#define PENTAD_RULES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PENTAD_RULES_1 "pentad.rules/1"

/* A player at the board, in playing order. Seats of the same side win and lose
 * together; if everybody plays alone, the sides are 0, 1, 2, ... */
typedef struct pentad_seat {
  pentad_str_t id;   /* short, as in the position's text: "w" */
  pentad_str_t name; /* for display: "White" */
  uint32_t side;
  uint32_t reserved;
} pentad_seat_t;

/* A variant of the game. */
typedef struct pentad_variant {
  pentad_str_t id;      /* like a game's id, but may start with a digit: "2p" */
  pentad_str_t name;    /* for display */
  pentad_str_t summary; /* one sentence */
  const pentad_seat_t *seats;
  uint32_t n_seats;       /* 1 to PENTAD_SEATS_MAX */
  uint32_t position_size; /* 1 to PENTAD_POSITION_SIZE_MAX */
  uint32_t plies_max;     /* no game is longer; 0 if there is no bound */
  uint32_t reserved;
} pentad_variant_t;

/* Whether and how a game ended. */
typedef struct pentad_outcome {
  uint32_t over;    /* 0 while the game goes on; then the other fields are not read */
  uint32_t n_seats; /* as the variant has */
  double scores[PENTAD_SEATS_MAX];   /* 0 to 1 per seat */
  uint32_t places[PENTAD_SEATS_MAX]; /* 1 is best; equal places repeat */
} pentad_outcome_t;

typedef struct pentad_rules {
  /* Returns the number of variants: 1 to PENTAD_VARIANTS_MAX. They are numbered
   * from 0; the first is the default. Always the same number.
   * [thread-safe] */
  uint32_t (*variant_count)(void);

  /* Describes a variant.
   * OWNERSHIP: the host owns `out`; texts and seats that it then points to are
   * the plugin's, constant, and valid for the life of the process.
   * [thread-safe] */
  int32_t (*variant)(uint32_t variant, pentad_variant_t *out);

  /* Writes the start position.
   * OWNERSHIP: the host owns `position` (position_size bytes).
   * [thread-safe] */
  int32_t (*start)(uint32_t variant, uint8_t *position);

  /* Reads a position from text. PENTAD_MALFORMED for anything that is not a
   * position of the game, including a board that the rules cannot produce.
   * OWNERSHIP: the host owns `text`, `position` (position_size bytes, written
   * only on PENTAD_OK) and `error`.
   * [thread-safe] */
  int32_t (*parse)(uint32_t variant, pentad_str_t text, uint8_t *position,
                   pentad_error_t *error);

  /* Writes a position as text in canonical form: one line of printable ASCII
   * that `parse` reads back into the same bytes.
   * OWNERSHIP: the host owns `position` (never changed) and `out`.
   * [thread-safe] */
  int32_t (*format)(uint32_t variant, const uint8_t *position,
                    const pentad_writer_t *out);

  /* Returns the seat whose turn it is; in a finished game, whose turn it would be.
   * OWNERSHIP: the host owns `position` (never changed) and `seat`.
   * [thread-safe] */
  int32_t (*to_move)(uint32_t variant, const uint8_t *position, uint32_t *seat);

  /* Hands the legal moves whose text begins with `prefix` (empty: all) to
   * `out`, one call each, in canonical order, which is always the same. A
   * finished game has none. Every move is printable ASCII without spaces, in
   * its one canonical form, and is given once.
   * OWNERSHIP: the host owns `position` (never changed), `prefix` and `out`.
   * [thread-safe] */
  int32_t (*legal_moves)(uint32_t variant, const uint8_t *position,
                         pentad_str_t prefix, const pentad_writer_t *out);

  /* Counts the moves that `legal_moves` would hand over.
   * OWNERSHIP: the host owns `position` (never changed), `prefix` and `count`.
   * [thread-safe] */
  int32_t (*count_moves)(uint32_t variant, const uint8_t *position,
                         pentad_str_t prefix, uint64_t *count);

  /* Plays one move, written canonically or by an alias. PENTAD_MALFORMED if the
   * text breaks the notation, PENTAD_ILLEGAL if the rules forbid the move,
   * PENTAD_GAME_OVER if the game is finished (whatever the text).
   * OWNERSHIP: the host owns `position` (never changed), `move`, `next`
   * (position_size bytes, not overlapping `position`, written only on
   * PENTAD_OK) and `error`. `canonical` receives the move's canonical text in
   * one call, on PENTAD_OK only; it may be null.
   * [thread-safe] */
  int32_t (*play)(uint32_t variant, const uint8_t *position, pentad_str_t move,
                  uint8_t *next, const pentad_writer_t *canonical,
                  pentad_error_t *error);

  /* Returns whether the game is over, and how it ended. `text` receives one sentence
   * for players ("white wins with five in row 3"), only if the game is
   * over; it may be null.
   * OWNERSHIP: the host owns `position` (never changed), `out` and `text`.
   * [thread-safe] */
  int32_t (*outcome)(uint32_t variant, const uint8_t *position,
                     pentad_outcome_t *out, const pentad_writer_t *text);
} pentad_rules_t;

#ifdef __cplusplus
}
#endif

#endif
