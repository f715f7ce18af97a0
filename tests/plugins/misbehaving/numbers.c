/* One number out of range per variant. */
#define VARIANTS "well-behaved", "seat", "over", "score-nan", "score-two", "score-negative", "n-seats", "place-zero", \
  "place-three", "certainty", "outcome", "outcome-estimate", "source", "depth", "evaluation-nan", "inverse", \
  "apply-seat", "canonical", "point", "piece", "order", "foreign-point"
#include "well_behaved.h"

static int32_t to_move(uint32_t variant, const uint8_t *position, uint32_t *seat) {
  default_to_move(variant, position, seat);
  *seat += is_variant(variant, "seat") ? 2 : 0;
  return PENTAD_OK;
}
static int32_t outcome(uint32_t variant, const uint8_t *position, pentad_outcome_t *out, const pentad_writer_t *text) {
  const int32_t status = default_outcome(variant, position, out, text);
  if (is_variant(variant, "over")) {
    out->over = 7;
  } else if (is_variant(variant, "score-nan")) {
    out->scores[0] = 0.0 / 0.0;
  } else if (is_variant(variant, "score-two")) {
    out->scores[1] = 2.0;
  } else if (is_variant(variant, "score-negative")) {
    out->scores[1] = -0.5;
  } else if (is_variant(variant, "n-seats")) {
    out->n_seats = 1000000;
  } else if (is_variant(variant, "place-zero")) {
    out->places[0] = 0;
  } else if (is_variant(variant, "place-three")) {
    out->places[1] = 3;
  }
  return status;
}
static int32_t evaluate(uint32_t variant, const uint8_t *position, pentad_evaluation_t *out) {
  default_evaluate(variant, position, out);
  if (is_variant(variant, "certainty")) {
    out->certainty = 2;
  } else if (is_variant(variant, "outcome")) {
    out->certainty = PENTAD_PROVEN;
    out->outcome = 4;
  } else if (is_variant(variant, "outcome-estimate")) {
    out->outcome = PENTAD_WIN;
  } else if (is_variant(variant, "source")) {
    out->source = 5;
  } else if (is_variant(variant, "depth")) {
    out->depth = UINT32_MAX;
  } else if (is_variant(variant, "evaluation-nan")) {
    out->scores[1] = 0.0 / 0.0;
  }
  return PENTAD_OK;
}
static int32_t inverse(uint32_t variant, uint32_t symmetry, uint32_t *out) {
  *out = is_variant(variant, "inverse") ? 2 : symmetry;
  return PENTAD_OK;
}
static int32_t apply_seat(uint32_t variant, uint32_t symmetry, uint32_t seat, uint32_t *out) {
  *out = is_variant(variant, "apply-seat") ? 2 : seat ^ symmetry;
  return PENTAD_OK;
}
static int32_t canonical(uint32_t variant, const uint8_t *position, uint8_t *out, uint32_t *symmetry) {
  default_canonical(variant, position, out, symmetry);
  *symmetry += is_variant(variant, "canonical") ? 2 : 0;
  return PENTAD_OK;
}
static int32_t pieces(uint32_t variant, const uint8_t *position, const pentad_placer_t *out) {
  const int wrong_point = is_variant(variant, "point"), wrong_piece = is_variant(variant, "piece");
  if (!wrong_point && !wrong_piece && !is_variant(variant, "order")) {
    return default_pieces(variant, position, out);
  }
  const int stop = out->place(out->ctx, wrong_point ? 9 : 1, wrong_piece) || out->place(out->ctx, 0, 0);
  return stop ? PENTAD_STOPPED : PENTAD_OK;
}
static int32_t explain(uint32_t variant, const uint8_t *position, const pentad_report_t *report, uint64_t line_idx,
                       const pentad_explainer_t *out) {
  if (!is_variant(variant, "foreign-point")) {
    return default_explain(variant, position, report, line_idx, out);
  }
  static const pentad_str_t points[1] = {TEXT("z9")};
  const pentad_reason_t reason = {.code = TEXT("code"), .text = TEXT("look there"), .points = points, .n_points = 1};
  return out->give(out->ctx, &reason) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}
#define TO_MOVE to_move
#define OUTCOME outcome
#define EVALUATE evaluate
#define INVERSE inverse
#define APPLY_SEAT apply_seat
#define CANONICAL canonical
#define PIECES_OF pieces
#define EXPLAIN explain
#include "export.h"
