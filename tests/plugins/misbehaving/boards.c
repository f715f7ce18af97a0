/* One invalid board, or number of symmetries, per variant; the rules are correct. */
#define VARIANTS "well-behaved", "huge-points", "null-points", "edge-out", "nan", "bad-colour", "bad-status", "symmetries"
#include "well_behaved.h"

static int32_t board(uint32_t variant, pentad_board_t *out) {
  static const pentad_edge_t edge = {0, 9};
  static pentad_piece_t piece;
  default_board(variant, out);
  if (is_variant(variant, "huge-points")) {
    out->n_points = UINT64_MAX / sizeof(pentad_point_t);
  } else if (is_variant(variant, "null-points")) {
    out->points = NULL;
  } else if (is_variant(variant, "edge-out")) {
    out->edges = &edge;
    out->n_edges = 1;
  } else if (is_variant(variant, "nan")) {
    out->width = 0.0 / 0.0;
  } else if (is_variant(variant, "bad-colour")) {
    piece = PIECES[0];
    piece.fill = (pentad_str_t)TEXT("red\" onload=\"");
    out->pieces = &piece;
  } else if (is_variant(variant, "bad-status")) {
    return 99;
  }
  return PENTAD_OK;
}
static uint32_t symmetries(uint32_t variant) { return is_variant(variant, "symmetries") ? UINT32_MAX : 2; }
#define BOARD board
#define COUNT symmetries
#include "export.h"
