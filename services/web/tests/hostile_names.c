/* A well-behaved game all of whose texts try to be markup: names, ids of points,
 * labels, reasons, results. The page shows them as text. */
#define VARIANTS "standard"
#include "well_behaved.h"

#define ATTACK(what) "<img src=x onerror=\"window.attacked='" what "'\"><script>window.attacked='" what "'</script>" what
#undef NAME
#define NAME TEXT(ATTACK("game"))

static const pentad_seat_t HOSTILE_SEATS[2] = {
    {.id = TEXT("a"), .name = TEXT(ATTACK("ann")), .side = 0},
    {.id = TEXT("b"), .name = TEXT("javascript:window.attacked='bob'"), .side = 1},
};

static int32_t variant(uint32_t index, pentad_variant_t *out) {
  const int32_t status = default_variant(index, out);
  out->name = (pentad_str_t)TEXT(ATTACK("variant"));
  out->summary = (pentad_str_t)TEXT(ATTACK("summary"));
  out->seats = HOSTILE_SEATS;
  return status;
}

#define SPOT(literal, i) {.id = TEXT(literal), .x = i + 0.5, .y = 1, .radius = 0.4, .shape = PENTAD_POINT_CELL}
static const pentad_point_t HOSTILE_POINTS[5] = {SPOT("1", 0), SPOT("2", 1), SPOT("\"]<b>", 2), SPOT("'onload='x", 3),
                                                 SPOT("</svg><b>", 4)};
static const uint32_t MEMBERS[2] = {0, 1};
static const pentad_block_t BLOCKS[1] = {
    {.id = TEXT("\"><b>"), .x = 0, .y = 0.5, .width = 2, .height = 1, .points = MEMBERS, .n_points = 2}};
static const pentad_label_t LABELS[1] = {{.text = TEXT(ATTACK("label")), .x = 2, .y = 0.3}};
static const pentad_piece_t HOSTILE_PIECES[1] = {{.id = TEXT("m\"'<"), .name = TEXT(ATTACK("piece")), .fill = TEXT("#aa5500"),
                                                  .label = TEXT("<b>&amp;"), .shape = PENTAD_PIECE_DISC, .seat = 0}};

static int32_t board(uint32_t index, pentad_board_t *out) {
  (void)index;
  *out = (pentad_board_t){.width = 5, .height = 2, .points = HOSTILE_POINTS, .n_points = 5, .blocks = BLOCKS, .n_blocks = 1,
                          .labels = LABELS, .n_labels = 1, .pieces = HOSTILE_PIECES, .n_pieces = 1};
  return PENTAD_OK;
}

static int32_t outcome(uint32_t index, const uint8_t *position, pentad_outcome_t *out, const pentad_writer_t *text) {
  const char hostile[] = ATTACK("outcome");
  const int32_t status = default_outcome(index, position, out, NULL);
  return out->over && text ? give(text, hostile, sizeof hostile - 1) : status;
}

static int32_t explain(uint32_t index, const uint8_t *position, const pentad_report_t *report, uint64_t line_idx,
                       const pentad_explainer_t *out) {
  (void)index, (void)position, (void)report, (void)line_idx;
  const pentad_reason_t reason = {.code = TEXT("only_idea"), .text = TEXT(ATTACK("reason"))};
  return out->give(out->ctx, &reason) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

#define VARIANT variant
#define BOARD board
#define OUTCOME outcome
#define EXPLAIN explain
#include "export.h"
