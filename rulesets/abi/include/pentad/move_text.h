/* pentad/move_text.h - moves in a player's words.
 *
 *   "pentad.move_text/1"  a message for each move: "b2, then block 1 turned left"
 *                         for `b2-1l`
 *
 * The notation of a move is for programs and practised players; this is for all
 * others, in their language. The host gives it beside the notation, never instead
 * of it. The extension needs "pentad.messages/1", which declares the messages and
 * has their templates.
 *
 * The message is a phrase, not a sentence: it has no full stop, and begins in
 * lower case where the language has it ("flip the bottom half"). The host
 * capitalises it where it stands alone, unless it begins with a parameter that is
 * neither a seat nor a term, and adds it to a sentence in brackets: "It loses at
 * once to ~B (flip the bottom half)." Different moves of a position have different
 * phrases.
 */
#ifndef PENTAD_MOVE_TEXT_H
#define PENTAD_MOVE_TEXT_H

#include "base.h"
#include "messages.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PENTAD_MOVE_TEXT_1 "pentad.move_text/1"

typedef struct pentad_move_text {
  /* Gives the message for a move: exactly one.
   * `mv` is in canonical notation, and legal in `position` or in a position that is
   * reached from it: a reply, or a threat. Its message is the same in both. Returns
   * PENTAD_UNSUPPORTED if the rule set has no words for it; the host then gives the
   * notation alone.
   * OWNERSHIP: the host owns everything handed over.
   * [thread-safe] */
  int32_t (*say)(uint32_t variant, const uint8_t *position, pentad_str_t mv,
                 const pentad_message_taker_t *out);
} pentad_move_text_t;

#ifdef __cplusplus
}
#endif

#endif
