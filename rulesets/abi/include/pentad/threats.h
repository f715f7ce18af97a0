/* pentad/threats.h - "pentad.threats/1": wins in one for every seat.
 *
 * A threat is a win that a seat could make with one move if it were its turn:
 * a five, or bringing out the last figure. The host lists the threats of every
 * seat, and the moves of the seat to move that stop them.
 *
 * The host plays every threat by the rules, in the position that `turn_of` gives,
 * before it passes the threat on; and it finds longer wins by searching that
 * position.
 */
#ifndef PENTAD_THREATS_H
#define PENTAD_THREATS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PENTAD_THREATS_1 "pentad.threats/1"

/* Maximum number of threats in one call of `stops`; bit i of its answer is threat i. */
#define PENTAD_THREATS_MAX 64u

/* A way to win, from a short list that the game documents. */
typedef struct pentad_threat_kind {
  pentad_str_t kind;        /* an id: "placing" */
  pentad_str_t description; /* description of such a win, one line */
} pentad_threat_kind_t;

/* Receives kinds, one call each. `give` returns non-zero to stop.
 * OWNERSHIP: the kind is the plugin's and valid during the call only. */
typedef struct pentad_threat_kind_lister {
  void *ctx;
  int32_t (*give)(void *ctx, const pentad_threat_kind_t *kind);
} pentad_threat_kind_lister_t;

/* A win in one.
 *
 * Several moves may carry out one threat: where a figure moves out, its block may
 * go anywhere. Then `winning_move` is one of them. `key` identifies the threat
 * among those of its seat, also in other positions: it is the same threat if it
 * makes the same five by the same turn, or brings out the same figures.
 *
 * `score` is the least that the seat gets once the move is made, whatever follows:
 * 1 for a win, 1/2 for one that another seat may still share. */
typedef struct pentad_threat {
  uint32_t seat;
  uint32_t kind; /* index in the list of `kinds` */
  uint64_t key;
  double score; /* above 0, at most 1 */
  pentad_str_t winning_move; /* canonical, as the seat would play it */
  const uint32_t *points; /* indices into the layout: where the pieces that make
                             the win are now, and the empty points they need */
  uint64_t n_points; /* at most PENTAD_POINTS_MAX */
} pentad_threat_t;

/* Receives threats, one call each. `give` returns non-zero to stop.
 * OWNERSHIP: the threat is the plugin's and valid during the call only. */
typedef struct pentad_threat_lister {
  void *ctx;
  int32_t (*give)(void *ctx, const pentad_threat_t *threat);
} pentad_threat_lister_t;

/* Receives moves that stop threats, one call each: the canonical text; the threats
 * it stops, a bit each; and whether it stops all (see `stops`). An empty text with
 * 0 and 0 only polls whether to stop. `give` returns non-zero to stop.
 * OWNERSHIP: the text is the plugin's and valid during the call only. */
typedef struct pentad_stop_lister {
  void *ctx;
  int32_t (*give)(void *ctx, pentad_str_t move, uint64_t stopped, uint32_t stops_all);
} pentad_stop_lister_t;

typedef struct pentad_threats {
  /* Hands every kind to `out`, each once, at most 256. Called once, when the
   * plugin is loaded.
   * OWNERSHIP: the host owns `out`.
   * [thread-safe] */
  int32_t (*kinds)(const pentad_threat_kind_lister_t *out);

  /* Returns the position as if it were `seat`'s turn. For the seat to move that is
   * the position itself; for another one, the same board with the turn passed on,
   * without restrictions from the turn before (a ko, a flip that may not be undone). PENTAD_UNSUPPORTED where there is no such position: the game is
   * over, the seat has finished, a reply is pending.
   *
   * The position may be one that no game leads to and `parse` refuses, such as one
   * in which the seat to move has one piece too many. Every function that takes a
   * position must accept it; the text that `format` writes is for display only.
   * OWNERSHIP: the host owns `position` (never changed) and `out` (position_size
   * bytes, not overlapping `position`, written only on PENTAD_OK).
   * [thread-safe] */
  int32_t (*turn_of)(uint32_t variant, const uint8_t *position, uint32_t seat,
                     uint8_t *out);

  /* Hands the threats of the seat to move to `out`: every way to win at once, each
   * key once, always in the same order. A finished game has none.
   * OWNERSHIP: the host owns `position` (never changed) and `out`.
   * [thread-safe] */
  int32_t (*list)(uint32_t variant, const uint8_t *position,
                  const pentad_threat_lister_t *out);

  /* Hands to `out`, in canonical order, the moves of the seat to move that stop at
   * least one of `threats`, which are threats of seats of other sides in this
   * position.
   *
   * A move stops a threat if afterwards `list`, in the position that `turn_of` gives
   * for the threat's seat, does not have its key; or if the game is over and the
   * seat got less than `score`. A move stops all if afterwards no seat of another
   * side has any threat, old or new; or if the game is over and no seat of another
   * side got more than the mover.
   *
   * Calls `give` at least once for every 1,000 moves tried, so that the host can
   * stop it.
   * OWNERSHIP: the host owns everything handed over.
   * [thread-safe] */
  int32_t (*stops)(uint32_t variant, const uint8_t *position,
                   const pentad_threat_t *threats, uint64_t n_threats,
                   const pentad_stop_lister_t *out);
} pentad_threats_t;

#ifdef __cplusplus
}
#endif

#endif
