/* pentad/layout.h - "pentad.layout/1": the board as data.
 *
 * With this the host can draw any game, including one that it has never seen. Coordinates are
 * in units of about one cell, x to the right, y downwards, from 0,0 to
 * width,height. Colours are "#rrggbb" or empty for the host's default.
 *
 * CLICKS. The board page enters a move step by step and knows no game: it matches the texts
 * of the legal moves with the ids below. From the left, each run of letters and digits of a
 * move (with the punctuation before it) is one step:
 *
 *   the first run, if seat id + run is a piece of the seat to move, or a run after "=" that
 *   is a piece                          that piece is clicked, or dragged
 *   the id of a point                   that point is clicked
 *   the id of a block                   any point of the block is clicked, if no move of this
 *                                       step names a point or a piece; else a handle on it
 *   the id of a block and "r" or "l"    an arrow on the block, clockwise or the other way
 *   "L", "R", "T" or "B", with blocks   a handle on that side of the board
 *   the longest id that begins it       that point, and the rest is the next step ("e2e4")
 *   anything else                       a button with this word
 *
 * So write moves with the ids of the places where a player points: "e2e4" or "c3-2r" with
 * points e2, e4, c3 and a block 2, or "d" with a block d around the points of the d file.
 */
#ifndef PENTAD_LAYOUT_H
#define PENTAD_LAYOUT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PENTAD_LAYOUT_1 "pentad.layout/1"

/* shape of a point */
#define PENTAD_POINT_HIDDEN 0u /* holds pieces, is not drawn itself */
#define PENTAD_POINT_HOLE 1u   /* a round hole for a piece */
#define PENTAD_POINT_CELL 2u   /* a square */
#define PENTAD_POINT_STOP 3u   /* a filled dot */

/* shape of a piece */
#define PENTAD_PIECE_DISC 0u
#define PENTAD_PIECE_RING 1u
#define PENTAD_PIECE_SQUARE 2u
#define PENTAD_PIECE_SPOT 3u /* flat, as printed on the board */

#define PENTAD_NO_SEAT UINT32_MAX

/* A place that may hold pieces. */
typedef struct pentad_point {
  pentad_str_t id; /* as in moves: "a1"; see CLICKS */
  double x, y;
  double radius;
  uint32_t shape;
  uint32_t reserved;
  pentad_str_t colour;
} pentad_point_t;

/* A line drawn between two points, by their indices. */
typedef struct pentad_edge {
  uint32_t from, to;
} pentad_edge_t;

/* Points that belong together, drawn as a rectangle behind them. */
typedef struct pentad_block {
  pentad_str_t id; /* as in moves: "2"; may be empty; see CLICKS */
  double x, y, width, height;
  pentad_str_t colour;
  const uint32_t *points; /* indices */
  uint64_t n_points;
} pentad_block_t;

/* A label beside the board: file letters, rank numbers, headings. */
typedef struct pentad_label {
  pentad_str_t text;
  double x, y; /* centre */
} pentad_label_t;

/* A kind of piece. */
typedef struct pentad_piece {
  pentad_str_t id;   /* as in positions: "w", "1a" */
  pentad_str_t name; /* for display: "white marble" */
  pentad_str_t fill;
  pentad_str_t stroke;
  pentad_str_t label; /* text drawn on it; may be empty */
  uint32_t shape;
  uint32_t seat; /* the owner, or PENTAD_NO_SEAT */
} pentad_piece_t;

typedef struct pentad_board {
  double width, height;
  const pentad_point_t *points;
  uint64_t n_points;
  const pentad_edge_t *edges;
  uint64_t n_edges;
  const pentad_block_t *blocks;
  uint64_t n_blocks;
  const pentad_label_t *labels;
  uint64_t n_labels;
  const pentad_piece_t *pieces;
  uint64_t n_pieces;
} pentad_board_t;

/* Receives pieces, one call each: indices of a point and a piece. Several
 * pieces may share a point. `place` returns non-zero to stop. */
typedef struct pentad_placer {
  void *ctx;
  int32_t (*place)(void *ctx, uint32_t point, uint32_t piece);
} pentad_placer_t;

typedef struct pentad_layout_ext {
  /* Describes a variant's board.
   * OWNERSHIP: the host owns `out`; what it then points to is the plugin's,
   * constant, and valid for the life of the process.
   * [thread-safe] */
  int32_t (*board)(uint32_t variant, pentad_board_t *out);

  /* Hands the pieces of a position to `out`, in ascending order of points.
   * OWNERSHIP: the host owns `position` (never changed) and `out`.
   * [thread-safe] */
  int32_t (*pieces)(uint32_t variant, const uint8_t *position,
                    const pentad_placer_t *out);
} pentad_layout_ext_t;

#ifdef __cplusplus
}
#endif

#endif
