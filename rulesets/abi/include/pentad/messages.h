/* pentad/messages.h - messages in several languages.
 *
 *   "pentad.messages/1"         every sentence of a rule set, as templates
 *   "pentad.reasons/2"          why a move is good or bad, as messages
 *   "pentad.outcome_message/1"  how a game ended, as a message
 *
 * A message is an id and parameters, without a language. The rule set lists a
 * template for each id and language once, when it is loaded, and the host fills
 * in the template of the caller's language. A rule set with these extensions
 * keeps "pentad.reasons/1" and the text of `outcome`, in English, for hosts that
 * do not know them.
 *
 * Ids are made of lower-case letters, digits and `_`, in parts that a `.`
 * separates: "wins_now", "loses_to.at_once". The first part of a reason's id is
 * its code, as in "pentad.reason_codes/1"; several messages may share a code.
 * Ids that begin with "pentad." are reserved for the host. A term is a message
 * without parameters that names something: "seat.w" the seat `w` (where the name
 * stands alone, its form `name` is used, if there is one), "figure.a" the term
 * `a` of the group `figure`, "variant.ID", "variant.ID.summary" and "piece.ID"
 * the texts that clients see. The last part of a term is an id of the rule set
 * and may have the same characters; a message's id has at most 256 bytes.
 *
 * Templates: a small part of ICU MessageFormat.
 *
 *   text                               literal; apostrophes have no special meaning
 *   {name}                             the parameter
 *   {name.form}                        the parameter in that form: "seat.w.form" of
 *                                      the same language instead of "seat.w"
 *   {name, plural, =2 {..} one {..} other {..}}
 *                                      selected by the number, or by the length of
 *                                      a list: the first matching `=n`, else the
 *                                      category of the language (one, other), else
 *                                      `other`, which is required. `#` is the
 *                                      number. Plurals do not nest.
 *
 * Braces, and `#` within a plural, cannot be written as text. A template uses
 * every declared parameter and no other. A seat or term at the beginning of a
 * text is capitalised. Numbers and lists ("a, b and c") follow the language.
 *
 * Mistakes: if English is incomplete or incorrect, the host uses none of the
 * three extensions; if a template of another language is incorrect, it uses the
 * English one. Either is a fault of the plugin, and `pentad check` fails. A
 * language that the host does not know is ignored; the plugin need not have all
 * languages.
 */
#ifndef PENTAD_MESSAGES_H
#define PENTAD_MESSAGES_H

#include "base.h"
#include "search.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PENTAD_MESSAGES_1 "pentad.messages/1"

#define PENTAD_MESSAGES_MAX 1024u      /* messages of one rule set */
#define PENTAD_TEMPLATES_MAX 8192u     /* templates of one rule set, of all languages */
#define PENTAD_TEMPLATE_LEN_MAX 2048u  /* bytes of a template */
#define PENTAD_PARAMS_MAX 16u          /* parameters of one message */
#define PENTAD_ITEMS_MAX 64u           /* items of a parameter */
#define PENTAD_ITEM_LEN_MAX 256u       /* bytes of an item */

/* Kinds of parameters: a closed list. */
#define PENTAD_PARAM_INTEGER 1u /* `number` */
#define PENTAD_PARAM_DECIMAL 2u /* `number` hundredths, written with two decimals */
#define PENTAD_PARAM_SEATS 3u   /* `items` are seats of the variant, by id; at least one */
#define PENTAD_PARAM_POINTS 4u  /* `items` are points of the layout, by id; at least one */
#define PENTAD_PARAM_MOVE 5u    /* one item: a move */
#define PENTAD_PARAM_TERMS 6u   /* `items` are terms of the declared group; at least one */
#define PENTAD_PARAM_TEXT 7u    /* one item: a line of text, the same in every language */

/* The declaration of a parameter. */
typedef struct pentad_param_info {
  pentad_str_t name;  /* lower-case letters, digits and `_` */
  pentad_str_t group; /* for PENTAD_PARAM_TERMS the first part of the terms' ids; else empty */
  uint32_t kind;      /* PENTAD_PARAM_... */
  uint32_t reserved;  /* 0 */
} pentad_param_info_t;

/* The declaration of a message. */
typedef struct pentad_message_info {
  pentad_str_t id;
  const pentad_param_info_t *params; /* no two with the same name */
  uint64_t n_params;
} pentad_message_info_t;

/* The text of a message in one language. */
typedef struct pentad_template {
  pentad_str_t language; /* a BCP 47 tag: "en", "sv", "fi", "de", "fr" */
  pentad_str_t id;       /* id of a declared message, or of a term's form */
  pentad_str_t text;
} pentad_template_t;

/* Receives all messages of a rule set, then all its templates, one call each.
 * Either function returns non-zero to stop.
 * OWNERSHIP: the argument is the plugin's and valid during the call only. */
typedef struct pentad_message_lister {
  void *ctx;
  int32_t (*message)(void *ctx, const pentad_message_info_t *message);
  int32_t (*text)(void *ctx, const pentad_template_t *text);
} pentad_message_lister_t;

typedef struct pentad_messages {
  /* Hands every message and every template to `out`. Called once, when the plugin
   * is loaded.
   * OWNERSHIP: the host owns `out`.
   * [thread-safe] */
  int32_t (*list)(const pentad_message_lister_t *out);
} pentad_messages_t;

/* A parameter with its value. */
typedef struct pentad_param {
  pentad_str_t name;
  const pentad_str_t *items; /* for the kinds that have items */
  uint64_t n_items;
  int64_t number;    /* for the kinds that have a number, else 0 */
  uint32_t kind;     /* as declared */
  uint32_t reserved; /* 0 */
} pentad_param_t;

/* A message, with exactly the parameters declared for its id. */
typedef struct pentad_message {
  pentad_str_t id;
  const pentad_param_t *params;
  uint64_t n_params;
} pentad_message_t;

#define PENTAD_REASONS_2 "pentad.reasons/2"

/* One reason. Its code is the first part of the message's id. */
typedef struct pentad_spoken_reason {
  pentad_message_t message;
  const pentad_str_t *points; /* the points of the layout it is about, by id */
  uint64_t n_points;
} pentad_spoken_reason_t;

/* Receives reasons, the most important first, one call each. `give` returns
 * non-zero to stop.
 * OWNERSHIP: the reason is the plugin's and valid during the call only. */
typedef struct pentad_reason_taker {
  void *ctx;
  int32_t (*give)(void *ctx, const pentad_spoken_reason_t *reason);
} pentad_reason_taker_t;

typedef struct pentad_spoken_reasons {
  /* Explains a line as `explain` of "pentad.reasons/1" does, with the same reasons,
   * codes and points. The host calls this function if it uses the messages, else
   * the other one.
   * OWNERSHIP: the host owns everything handed over.
   * [thread-safe] */
  int32_t (*explain)(uint32_t variant, const uint8_t *position,
                     const pentad_report_t *report, uint64_t line_idx,
                     const pentad_reason_taker_t *out);
} pentad_spoken_reasons_t;

#define PENTAD_OUTCOME_MESSAGE_1 "pentad.outcome_message/1"

/* Receives one message.
 * OWNERSHIP: the message is the plugin's and valid during the call only. */
typedef struct pentad_message_taker {
  void *ctx;
  int32_t (*give)(void *ctx, const pentad_message_t *message);
} pentad_message_taker_t;

typedef struct pentad_outcome_message {
  /* Gives the message for a finished game, which says the same as the text of
   * `outcome`: one message if the game is over, none while it goes on.
   * OWNERSHIP: the host owns `position` (never changed) and `out`.
   * [thread-safe] */
  int32_t (*outcome)(uint32_t variant, const uint8_t *position,
                     const pentad_message_taker_t *out);
} pentad_outcome_message_t;

#ifdef __cplusplus
}
#endif

#endif
