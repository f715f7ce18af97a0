/* piles.c - a game whose moves are the names of blocks: the matches 1 to 5 lie in the
 * block `1`, the other places are the block `2`. */
#include "well_behaved.h"

#define PLACE_OF(literal, i)                                                                                           \
  {.id = TEXT(literal), .x = i + 0.5, .y = 0.5, .radius = 0.4, .shape = PENTAD_POINT_HOLE, .colour = TEXT("#803020")}
static const pentad_point_t PLACES[9] = {PLACE_OF("x1", 0), PLACE_OF("x2", 1), PLACE_OF("x3", 2),
                                         PLACE_OF("x4", 3), PLACE_OF("x5", 4), PLACE_OF("x6", 5),
                                         PLACE_OF("x7", 6), PLACE_OF("x8", 7), PLACE_OF("x9", 8)};
static const uint32_t LEFT[5] = {0, 1, 2, 3, 4}, RIGHT[4] = {5, 6, 7, 8};
static const pentad_block_t PILES[2] = {
    {.id = TEXT("1"), .width = 5, .height = 1, .colour = TEXT("#c08060"), .points = LEFT, .n_points = 5},
    {.id = TEXT("2"), .x = 5, .width = 4, .height = 1, .colour = TEXT("#a06040"), .points = RIGHT, .n_points = 4},
};

static int32_t board(uint32_t variant, pentad_board_t *out) {
  (void)variant;
  *out = (pentad_board_t){.width = 9, .height = 1, .points = PLACES, .n_points = 9, .blocks = PILES, .n_blocks = 2,
                          .pieces = PIECES, .n_pieces = 1};
  return PENTAD_OK;
}

/* The reasons of well_behaved.h name points that this board lacks. */
static int32_t explain(uint32_t variant, const uint8_t *position, const pentad_report_t *report, uint64_t line_idx,
                       const pentad_explainer_t *out) {
  (void)variant, (void)position, (void)report, (void)line_idx, (void)out;
  return PENTAD_OK;
}

#define BOARD board
#define EXPLAIN explain
#include "export.h"
