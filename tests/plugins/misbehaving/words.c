/* Messages that break the contract, one call and kind per variant. */
#define VARIANTS                                                                                                       \
  "well-behaved", "explain-unknown", "explain-missing", "explain-kind", "explain-seat", "explain-empty",              \
      "explain-null", "explain-huge", "explain-utf8", "explain-point", "outcome-none", "outcome-twice",               \
      "outcome-unknown", "outcome-null", "say-none", "say-twice", "say-unknown", "say-unsupported"
#include "well_behaved.h"
#include "words.h"

static int32_t explain(uint32_t v, const uint8_t *position, const pentad_report_t *report, uint64_t line_idx,
                       const pentad_reason_taker_t *out) {
  if (strncmp(VARIANT_IDS[v], "explain-", 8) != 0) {
    return default_explain_spoken(v, position, report, line_idx, out);
  }
  static const pentad_str_t stranger = TEXT("c"), broken = TEXT("\xff");
  const int is_kind = is_variant(v, "explain-kind");
  pentad_param_t params[2] = {
      {.name = TEXT("count"), .kind = is_kind ? PENTAD_PARAM_TEXT : PENTAD_PARAM_INTEGER,
       .items = is_kind ? &stranger : NULL, .n_items = is_kind, .number = 1},
      {.name = TEXT("seat"), .kind = PENTAD_PARAM_SEATS, .items = &SEATS[0].id, .n_items = 1},
  };
  pentad_spoken_reason_t reason = {.message = {.id = TEXT("only_idea"), .params = params, .n_params = 2}};
  if (is_variant(v, "explain-unknown")) {
    reason.message.id = (pentad_str_t)TEXT("never_listed");
  } else if (is_variant(v, "explain-missing")) {
    reason.message.n_params = 1;
  } else if (is_variant(v, "explain-seat")) {
    params[1].items = &stranger;
  } else if (is_variant(v, "explain-empty")) {
    params[1].n_items = 0;
  } else if (is_variant(v, "explain-null")) {
    reason.message.params = NULL;
  } else if (is_variant(v, "explain-huge")) {
    params[1].n_items = UINT64_MAX / 16;
  } else if (is_variant(v, "explain-utf8")) {
    params[1].items = &broken;
  } else if (is_variant(v, "explain-point")) {
    reason.points = &stranger;
    reason.n_points = 1;
  }
  return out->give(out->ctx, &reason) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

static int32_t outcome_message(uint32_t v, const uint8_t *position, const pentad_message_taker_t *out) {
  if (is_variant(v, "outcome-none")) {
    return PENTAD_OK;
  }
  if (is_variant(v, "outcome-unknown")) {
    return give_message(out, "never_listed");
  }
  if (is_variant(v, "outcome-null")) {
    return out->give(out->ctx, NULL) == 0 ? PENTAD_OK : PENTAD_STOPPED;
  }
  const int32_t status = default_outcome_message(v, position, out);
  return is_variant(v, "outcome-twice") && status == PENTAD_OK ? default_outcome_message(v, position, out) : status;
}

static int32_t say(uint32_t v, const uint8_t *position, pentad_str_t mv, const pentad_message_taker_t *out) {
  if (is_variant(v, "say-none")) {
    return PENTAD_OK;
  }
  if (is_variant(v, "say-unknown")) {
    return give_message(out, "never_listed");
  }
  if (is_variant(v, "say-unsupported")) {
    return PENTAD_UNSUPPORTED;
  }
  const int32_t status = default_say(v, position, mv, out);
  return is_variant(v, "say-twice") && status == PENTAD_OK ? default_say(v, position, mv, out) : status;
}

#define SAY say
#define EXPLAIN_SPOKEN explain
#define OUTCOME_MESSAGE outcome_message
#include "export.h"
