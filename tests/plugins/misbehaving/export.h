/* export.h - the tables of well_behaved.h's game, with the functions and fields
 * that a plugin has defined in place of the default ones. */
#ifndef GAME_ID
#define GAME_ID "matches"
#endif
#ifndef VARIANT
#define VARIANT default_variant
#endif
#ifndef VARIANT_COUNT
#define VARIANT_COUNT default_variant_count
#endif
#ifndef START
#define START default_start
#endif
#ifndef PARSE
#define PARSE default_parse
#endif
#ifndef FORMAT
#define FORMAT default_format
#endif
#ifndef TO_MOVE
#define TO_MOVE default_to_move
#endif
#ifndef LEGAL_MOVES
#define LEGAL_MOVES default_legal_moves
#endif
#ifndef COUNT_MOVES
#define COUNT_MOVES default_count_moves
#endif
#ifndef PLAY
#define PLAY default_play
#endif
#ifndef OUTCOME
#define OUTCOME default_outcome
#endif
#ifndef CREATE
#define CREATE default_create
#endif
#ifndef RUN
#define RUN default_run
#endif
#ifndef EVALUATE
#define EVALUATE default_evaluate
#endif
#ifndef COUNT
#define COUNT default_count
#endif
#ifndef INVERSE
#define INVERSE default_inverse
#endif
#ifndef APPLY
#define APPLY default_apply
#endif
#ifndef APPLY_MOVE
#define APPLY_MOVE default_apply_move
#endif
#ifndef APPLY_SEAT
#define APPLY_SEAT default_apply_seat
#endif
#ifndef CANONICAL
#define CANONICAL default_canonical
#endif
#ifndef BOARD
#define BOARD default_board
#endif
#ifndef PIECES_OF
#define PIECES_OF default_pieces
#endif
#ifndef EXPLAIN
#define EXPLAIN default_explain
#endif
#ifndef THREAT_KINDS
#define THREAT_KINDS default_kinds
#endif
#ifndef TURN_OF
#define TURN_OF default_turn_of
#endif
#ifndef LIST
#define LIST default_list
#endif
#ifndef STOPS
#define STOPS default_stops
#endif
#ifndef NAME
#define NAME TEXT("Matches")
#endif
#ifndef INIT
#define INIT NULL
#endif
#ifndef MAGIC
#define MAGIC PENTAD_MAGIC
#endif
#ifndef ABI_MAJOR
#define ABI_MAJOR PENTAD_ABI_MAJOR
#endif
#ifndef ABI_MINOR
#define ABI_MINOR PENTAD_ABI_MINOR
#endif
#ifndef STRUCT_SIZE
#define STRUCT_SIZE sizeof(pentad_entry_t)
#endif

MAYBE_UNUSED const pentad_rules_t RULES = {VARIANT_COUNT, VARIANT, START,       PARSE, FORMAT,
                                     TO_MOVE,       LEGAL_MOVES, COUNT_MOVES, PLAY,  OUTCOME};
MAYBE_UNUSED const pentad_search_t SEARCH = {CREATE, RUN, default_destroy, EVALUATE};
MAYBE_UNUSED const pentad_symmetry_t SYMMETRY = {COUNT, INVERSE, APPLY, APPLY_MOVE, APPLY_SEAT, CANONICAL};
MAYBE_UNUSED const pentad_layout_ext_t LAYOUT = {BOARD, PIECES_OF};
MAYBE_UNUSED const pentad_reasons_t REASONS = {EXPLAIN};
MAYBE_UNUSED const pentad_threats_t THREATS = {THREAT_KINDS, TURN_OF, LIST, STOPS};
#ifdef WITH_WORDS
#ifndef LIST_MESSAGES
#define LIST_MESSAGES default_list_messages
#endif
#ifndef EXPLAIN_SPOKEN
#define EXPLAIN_SPOKEN default_explain_spoken
#endif
#ifndef OUTCOME_MESSAGE
#define OUTCOME_MESSAGE default_outcome_message
#endif
#ifndef SAY
#define SAY default_say
#endif
MAYBE_UNUSED const pentad_messages_t MESSAGES = {LIST_MESSAGES};
MAYBE_UNUSED const pentad_spoken_reasons_t SPOKEN_REASONS = {EXPLAIN_SPOKEN};
MAYBE_UNUSED const pentad_outcome_message_t OUTCOME_MESSAGES = {OUTCOME_MESSAGE};
MAYBE_UNUSED const pentad_move_text_t MOVE_TEXT = {SAY};
#endif

MAYBE_UNUSED const void *default_extension(pentad_str_t id) {
  const struct {
    const char *id;
    const void *table;
  } all[] = {{PENTAD_RULES_1, &RULES},
             {PENTAD_SEARCH_1, &SEARCH},
             {PENTAD_SYMMETRY_1, &SYMMETRY},
             {PENTAD_LAYOUT_1, &LAYOUT},
#ifdef WITH_WORDS
#ifndef NO_MESSAGES
             {PENTAD_MESSAGES_1, &MESSAGES},
#endif
             {PENTAD_REASONS_2, &SPOKEN_REASONS},
             {PENTAD_OUTCOME_MESSAGE_1, &OUTCOME_MESSAGES},
             {PENTAD_MOVE_TEXT_1, &MOVE_TEXT},
#endif
             {PENTAD_REASONS_1, &REASONS},
             {PENTAD_THREATS_1, &THREATS}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    if (id.len == strlen(all[i].id) && memcmp(id.data, all[i].id, id.len) == 0) {
      return all[i].table;
    }
  }
  return NULL;
}

#ifndef EXTENSION
#define EXTENSION default_extension
#endif

#ifndef NO_ENTRY
const pentad_entry_t ruleset_entry = {
    .magic = MAGIC,
    .abi_major = ABI_MAJOR,
    .abi_minor = ABI_MINOR,
    .struct_size = STRUCT_SIZE,
    .id = TEXT(GAME_ID),
    .name = NAME,
    .version = TEXT("1.0.0"),
    .rules = TEXT("Take one or two matches in turn.\nWho takes the last one wins."),
    .notation = TEXT("A position is \"5 a\", a move \"1\" or \"2\"."),
    .init = INIT,
    .extension = EXTENSION,
};
#endif
