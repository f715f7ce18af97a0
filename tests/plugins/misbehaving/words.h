/* words.h - messages of well_behaved.h's game, in English and Swedish.
 *
 * To be included after well_behaved.h and before export.h, which then provides
 * pentad.messages/1, pentad.reasons/2, pentad.outcome_message/1 and
 * pentad.move_text/1. A plugin names
 * its own functions or templates in place of the default ones. */
#define WITH_WORDS

static const pentad_param_info_t TAKES_PARAMS[2] = {
    {.name = TEXT("count"), .kind = PENTAD_PARAM_INTEGER},
    {.name = TEXT("seat"), .kind = PENTAD_PARAM_SEATS},
};
static const pentad_message_info_t MESSAGES_OF_GAME[] = {
    {.id = TEXT("only_idea"), .params = TAKES_PARAMS, .n_params = 2},
    {.id = TEXT("move"), .params = TAKES_PARAMS, .n_params = 1},
    {.id = TEXT("outcome.last")},
    {.id = TEXT("seat.a")},
    {.id = TEXT("seat.b")},
};

#define ENGLISH(id, text) {TEXT("en"), TEXT(id), TEXT(text)}
#define SWEDISH(id, text) {TEXT("sv"), TEXT(id), TEXT(text)}
/* Uses every parameter, and gives the same text as default_explain. */
#define ENGLISH_REASON \
  ENGLISH("only_idea", "it takes {count, plural, one {a match} other {# matches}}{seat, plural, =0 {{seat}} other {}}")
#define SWEDISH_REASON SWEDISH("only_idea", "{seat} tar {count, plural, one {en sticka} other {# stickor}}")
#define SEATS_OF_GAME \
  ENGLISH("seat.a", "Ann"), ENGLISH("seat.b", "Bob"), SWEDISH("seat.a", "anna"), SWEDISH("seat.b", "bo")
#define OUTCOMES \
  ENGLISH("outcome.last", "the last match is taken"), SWEDISH("outcome.last", "sista stickan är tagen")
#ifndef TEMPLATES
#define TEMPLATES ENGLISH_REASON, SWEDISH_REASON, SEATS_OF_GAME, OUTCOMES
#endif
#define MOVES_IN_WORDS                                                                                         \
  ENGLISH("move", "take {count, plural, one {a match} other {# matches}}"),                                    \
      SWEDISH("move", "ta {count, plural, one {en sticka} other {# stickor}}")
static const pentad_template_t TEMPLATES_OF_GAME[] = {TEMPLATES, MOVES_IN_WORDS};

MAYBE_UNUSED int32_t default_list_messages(const pentad_message_lister_t *out) {
  for (size_t i = 0; i < sizeof MESSAGES_OF_GAME / sizeof MESSAGES_OF_GAME[0]; i++) {
    if (out->message(out->ctx, &MESSAGES_OF_GAME[i]) != 0) {
      return PENTAD_STOPPED;
    }
  }
  for (size_t i = 0; i < sizeof TEMPLATES_OF_GAME / sizeof TEMPLATES_OF_GAME[0]; i++) {
    if (out->text(out->ctx, &TEMPLATES_OF_GAME[i]) != 0) {
      return PENTAD_STOPPED;
    }
  }
  return PENTAD_OK;
}

MAYBE_UNUSED int32_t give_takes_at(const uint8_t *position, int64_t count, const char *point,
                                   const pentad_reason_taker_t *out) {
  const pentad_str_t points[1] = {{point, strlen(point)}};
  const pentad_param_t params[2] = {
      {.name = TEXT("count"), .kind = PENTAD_PARAM_INTEGER, .number = count},
      {.name = TEXT("seat"), .kind = PENTAD_PARAM_SEATS, .items = &SEATS[position[1] & 1].id, .n_items = 1},
  };
  const pentad_spoken_reason_t reason = {.message = {.id = TEXT("only_idea"), .params = params, .n_params = 2},
                                         .points = points, .n_points = 1};
  return out->give(out->ctx, &reason) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

MAYBE_UNUSED int32_t give_takes(const uint8_t *position, int64_t count, const pentad_reason_taker_t *out) {
  return give_takes_at(position, count, "1", out);
}

MAYBE_UNUSED int32_t default_explain_spoken(uint32_t variant, const uint8_t *position, const pentad_report_t *report,
                                            uint64_t line_idx, const pentad_reason_taker_t *out) {
  (void)variant, (void)report, (void)line_idx;
  return give_takes(position, 1, out);
}

MAYBE_UNUSED int32_t give_message(const pentad_message_taker_t *out, const char *id) {
  const pentad_message_t message = {.id = {id, strlen(id)}};
  return out->give(out->ctx, &message) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

MAYBE_UNUSED int32_t default_outcome_message(uint32_t variant, const uint8_t *position,
                                             const pentad_message_taker_t *out) {
  (void)variant;
  return position[0] == 0 ? give_message(out, "outcome.last") : PENTAD_OK;
}

MAYBE_UNUSED int32_t give_move(int64_t count, const pentad_message_taker_t *out) {
  const pentad_param_t param = {.name = TEXT("count"), .kind = PENTAD_PARAM_INTEGER, .number = count};
  const pentad_message_t message = {.id = TEXT("move"), .params = &param, .n_params = 1};
  return out->give(out->ctx, &message) == 0 ? PENTAD_OK : PENTAD_STOPPED;
}

MAYBE_UNUSED int32_t default_say(uint32_t variant, const uint8_t *position, pentad_str_t mv,
                                 const pentad_message_taker_t *out) {
  (void)variant, (void)position;
  return mv.len == 1 ? give_move(mv.data[0] - '0', out) : PENTAD_UNSUPPORTED;
}
