/* One violation of `pentad.threats/1` per variant, which the host detects, in the position
 * with two matches left; `endless` is legal, but continues until the host stops it. */
#define VARIANTS                                                                                                       \
  "well-behaved", "seat", "kind", "score-zero", "score-nan", "null-threat", "point", "many-points", "empty-move",     \
      "illegal", "key-twice", "no-bit", "foreign-bit", "stop-illegal", "stop-text", "turn-seat", "status",   \
      "endless", "after-stop"
#include "well_behaved.h"

static int32_t turn_of(uint32_t v, const uint8_t *position, uint32_t seat, uint8_t *out) {
  return default_turn_of(v, position, is_variant(v, "turn-seat") ? !seat : seat, out);
}

static int32_t list(uint32_t v, const uint8_t *position, const pentad_threat_lister_t *out) {
  if (position[0] != 2) {
    return default_list(v, position, out);
  }
  static const uint32_t points[1] = {9};
  pentad_threat_t threat = last_matches(position);
  if (is_variant(v, "seat")) {
    threat.seat ^= 1;
  } else if (is_variant(v, "kind")) {
    threat.kind = 1;
  } else if (is_variant(v, "score-zero")) {
    threat.score = 0.0;
  } else if (is_variant(v, "score-nan")) {
    threat.score = 0.0 / 0.0;
  } else if (is_variant(v, "null-threat")) {
    return out->give(out->ctx, NULL) == 0 ? PENTAD_OK : PENTAD_STOPPED;
  } else if (is_variant(v, "point")) {
    threat.points = points;
    threat.n_points = 1;
  } else if (is_variant(v, "many-points")) {
    threat.n_points = UINT64_MAX;
  } else if (is_variant(v, "empty-move")) {
    threat.winning_move.len = 0;
  } else if (is_variant(v, "illegal")) {
    threat.winning_move.data = "3";
  } else if (is_variant(v, "status")) {
    return PENTAD_GAME_OVER;
  } else if (is_variant(v, "endless")) {
    /* Until the host stops it. */
    for (; out->give(out->ctx, &threat) == 0; threat.key++) {
    }
    return PENTAD_STOPPED;
  } else if (is_variant(v, "key-twice") && out->give(out->ctx, &threat) != 0) {
    return PENTAD_STOPPED;
  }
  return out->give(out->ctx, &threat) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

static int32_t stops(uint32_t v, const uint8_t *position, const pentad_threat_t *threats, uint64_t n_threats,
                     const pentad_stop_lister_t *out) {
  if (position[0] != 2) {
    return default_stops(v, position, threats, n_threats, out);
  }
  pentad_str_t move = TEXT("2");
  uint64_t stopped = 1;
  if (is_variant(v, "no-bit")) {
    stopped = 0;
  } else if (is_variant(v, "foreign-bit")) {
    stopped = 1ull << 63;
  } else if (is_variant(v, "stop-illegal")) {
    move.data = "7";
  } else if (is_variant(v, "stop-text")) {
    move.data = "\n";
  } else if (is_variant(v, "endless")) {
    stopped = UINT64_MAX;
  } else if (is_variant(v, "after-stop")) {
    move.data = "7";
    (void)out->give(out->ctx, move, stopped, 1);
    (void)out->give(out->ctx, move, stopped, 1);
    return PENTAD_STOPPED;
  }
  return out->give(out->ctx, move, stopped, 1) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

#define TURN_OF turn_of
#define LIST list
#define STOPS stops
#include "export.h"
