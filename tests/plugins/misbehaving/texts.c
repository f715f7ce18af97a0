/* Invalid text in every call that returns text, one call and kind per variant:
 * a huge length, a null pointer, bytes that are not UTF-8, text just
 * longer than any bound, and pieces without end. */
#define KINDS(call) call "-huge", call "-null", call "-utf8", call "-long", call "-endless"
#define VARIANTS "well-behaved", KINDS("format"), KINDS("legal-moves"), KINDS("play"), KINDS("outcome"), \
  KINDS("parse"), KINDS("apply-move"), KINDS("run"), KINDS("explain")
#include "well_behaved.h"

static char LONG[PENTAD_TEXT_LEN_MAX + 1];

/* The variant's invalid text if it is for this call, else the valid one. */
static pentad_str_t text_for(uint32_t variant, const char *call, const char *valid) {
  const char *id = VARIANT_IDS[variant];
  const size_t len = strlen(call);
  if (strncmp(id, call, len) != 0 || id[len] != '-') {
    return (pentad_str_t){valid, strlen(valid)};
  }
  memset(LONG, '1', sizeof LONG);
  switch (id[len + 1]) {
    case 'h': return (pentad_str_t){valid, UINT64_MAX / 2};
    case 'n': return (pentad_str_t){NULL, 7};
    case 'u': return (pentad_str_t)TEXT("1\xff\xfe");
    default: return (pentad_str_t){LONG, sizeof LONG};
  }
}

static int32_t write(uint32_t variant, const char *call, const char *valid, const pentad_writer_t *out) {
  const pentad_str_t text = text_for(variant, call, valid);
  if (text.data == LONG && strstr(VARIANT_IDS[variant], "endless")) {
    for (int i = 0; i < 1000000; i++) {
      if (give(out, "1", 1) != PENTAD_OK) {
        return PENTAD_STOPPED;
      }
    }
  }
  return give(out, text.data, text.len);
}

static int32_t format(uint32_t variant, const uint8_t *position, const pentad_writer_t *out) {
  const char valid[4] = {(char)('0' + position[0]), ' ', position[1] ? 'b' : 'a', 0};
  return write(variant, "format", valid, out);
}
static int32_t legal_moves(uint32_t variant, const uint8_t *position, pentad_str_t prefix, const pentad_writer_t *out) {
  (void)position, (void)prefix;
  return write(variant, "legal-moves", "1", out);
}
static int32_t play(uint32_t variant, const uint8_t *position, pentad_str_t move, uint8_t *next,
                    const pentad_writer_t *canonical, pentad_error_t *error) {
  const int32_t status = default_play(variant, position, move, next, NULL, error);
  return status != PENTAD_OK || canonical == NULL ? status : write(variant, "play", "1", canonical);
}
static int32_t outcome(uint32_t variant, const uint8_t *position, pentad_outcome_t *out, const pentad_writer_t *text) {
  const int32_t status = default_outcome(variant, position, out, NULL);
  return out->over && text ? write(variant, "outcome", "it is over", text) : status;
}
static int32_t parse(uint32_t variant, pentad_str_t text, uint8_t *position, pentad_error_t *error) {
  const int32_t status = default_parse(variant, text, position, error);
  if (status == PENTAD_OK || strncmp(VARIANT_IDS[variant], "parse-", 6) != 0) {
    return status;
  }
  switch (VARIANT_IDS[variant][6]) {
    case 'h': error->message_len = UINT32_MAX; break;
    case 'n': error->field_len = sizeof error->field + 1; break;
    case 'u': memcpy(error->message, "\xff\x07", 2); break;
    case 'l': error->message_len = sizeof error->message + 1; break;
    default: error->column = UINT32_MAX;
  }
  return status;
}
static int32_t apply_move(uint32_t variant, uint32_t symmetry, const uint8_t *position, pentad_str_t move,
                          const pentad_writer_t *out, pentad_error_t *error) {
  (void)symmetry, (void)position, (void)move, (void)error;
  return write(variant, "apply-move", "1", out);
}
static int32_t run(void *context, const uint8_t *position, const pentad_search_request_t *request,
                   const pentad_control_t *control, pentad_error_t *error) {
  (void)position, (void)request, (void)error;
  pentad_evaluation_t evaluation;
  default_evaluate(0, NULL, &evaluation);
  const pentad_str_t move = text_for(*(uint32_t *)context, "run", "1");
  const pentad_line_t line = {.moves = &move, .n_moves = 1, .evaluation = evaluation};
  const pentad_report_t report = {.lines = &line, .n_lines = 1, .stop = PENTAD_STOP_DEPTH, .evaluation = evaluation};
  control->report(control->ctx, &report);
  return PENTAD_OK;
}
static int32_t explain(uint32_t variant, const uint8_t *position, const pentad_report_t *report, uint64_t line_idx,
                       const pentad_explainer_t *out) {
  (void)position, (void)report, (void)line_idx;
  const pentad_reason_t reason = {.code = TEXT("code"), .text = text_for(variant, "explain", "because")};
  return out->give(out->ctx, &reason) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}
#define FORMAT format
#define LEGAL_MOVES legal_moves
#define PLAY play
#define OUTCOME outcome
#define PARSE parse
#define APPLY_MOVE apply_move
#define RUN run
#define EXPLAIN explain
#include "export.h"
