/* statuses.h - every call returns the status WRONG in the variant that is named
 * after it, and behaves well in the others. */
#define VARIANTS "well-behaved", "start", "parse", "format", "to-move", "legal-moves", "count-moves", "play", "outcome", \
  "create", "run", "evaluate", "inverse", "apply", "apply-move", "apply-seat", "canonical", "pieces", "explain"
#include "well_behaved.h"

#define OR_WRONG(id, status) (is_variant(variant, id) ? (WRONG) : (status))

static int32_t start(uint32_t variant, uint8_t *p) { return OR_WRONG("start", default_start(variant, p)); }
static int32_t parse(uint32_t variant, pentad_str_t text, uint8_t *p, pentad_error_t *error) {
  return OR_WRONG("parse", default_parse(variant, text, p, error));
}
static int32_t format(uint32_t variant, const uint8_t *p, const pentad_writer_t *out) {
  return OR_WRONG("format", default_format(variant, p, out));
}
static int32_t to_move(uint32_t variant, const uint8_t *p, uint32_t *seat) {
  return OR_WRONG("to-move", default_to_move(variant, p, seat));
}
static int32_t legal_moves(uint32_t variant, const uint8_t *p, pentad_str_t prefix, const pentad_writer_t *out) {
  return OR_WRONG("legal-moves", default_legal_moves(variant, p, prefix, out));
}
static int32_t count_moves(uint32_t variant, const uint8_t *p, pentad_str_t prefix, uint64_t *count) {
  return OR_WRONG("count-moves", default_count_moves(variant, p, prefix, count));
}
static int32_t play(uint32_t variant, const uint8_t *p, pentad_str_t move, uint8_t *next, const pentad_writer_t *out,
                    pentad_error_t *error) {
  return OR_WRONG("play", default_play(variant, p, move, next, out, error));
}
static int32_t outcome(uint32_t variant, const uint8_t *p, pentad_outcome_t *out, const pentad_writer_t *text) {
  return OR_WRONG("outcome", default_outcome(variant, p, out, text));
}
static int32_t create(uint32_t variant, uint64_t bytes, uint32_t threads, void **context, pentad_error_t *error) {
  return OR_WRONG("create", default_create(variant, bytes, threads, context, error));
}
static int32_t run(void *context, const uint8_t *p, const pentad_search_request_t *request,
                   const pentad_control_t *control, pentad_error_t *error) {
  const uint32_t variant = *(uint32_t *)context;
  return OR_WRONG("run", default_run(context, p, request, control, error));
}
static int32_t evaluate(uint32_t variant, const uint8_t *p, pentad_evaluation_t *out) {
  return OR_WRONG("evaluate", default_evaluate(variant, p, out));
}
static int32_t inverse(uint32_t variant, uint32_t symmetry, uint32_t *out) {
  return OR_WRONG("inverse", default_inverse(variant, symmetry, out));
}
static int32_t apply(uint32_t variant, uint32_t symmetry, const uint8_t *p, uint8_t *out) {
  return OR_WRONG("apply", default_apply(variant, symmetry, p, out));
}
static int32_t apply_move(uint32_t variant, uint32_t symmetry, const uint8_t *p, pentad_str_t move,
                          const pentad_writer_t *out, pentad_error_t *error) {
  return OR_WRONG("apply-move", default_apply_move(variant, symmetry, p, move, out, error));
}
static int32_t apply_seat(uint32_t variant, uint32_t symmetry, uint32_t seat, uint32_t *out) {
  return OR_WRONG("apply-seat", default_apply_seat(variant, symmetry, seat, out));
}
static int32_t canonical(uint32_t variant, const uint8_t *p, uint8_t *out, uint32_t *symmetry) {
  return OR_WRONG("canonical", default_canonical(variant, p, out, symmetry));
}
static int32_t pieces(uint32_t variant, const uint8_t *p, const pentad_placer_t *out) {
  return OR_WRONG("pieces", default_pieces(variant, p, out));
}
static int32_t explain(uint32_t variant, const uint8_t *p, const pentad_report_t *report, uint64_t line_idx,
                       const pentad_explainer_t *out) {
  return OR_WRONG("explain", default_explain(variant, p, report, line_idx, out));
}
#define START start
#define PARSE parse
#define FORMAT format
#define TO_MOVE to_move
#define LEGAL_MOVES legal_moves
#define COUNT_MOVES count_moves
#define PLAY play
#define OUTCOME outcome
#define CREATE create
#define RUN run
#define EVALUATE evaluate
#define INVERSE inverse
#define APPLY apply
#define APPLY_MOVE apply_move
#define APPLY_SEAT apply_seat
#define CANONICAL canonical
#define PIECES_OF pieces
#define EXPLAIN explain
#include "export.h"
