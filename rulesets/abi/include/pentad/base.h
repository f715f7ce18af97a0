/* pentad/base.h - what every other header needs: text, output, errors, status.
 *
 * Conventions of the whole ABI
 *
 * - Integers have fixed widths. There is no bool (uint32_t, 0 or 1) and no enum
 *   by value (uint32_t with named constants).
 * - Text is UTF-8 with a length, never terminated by a zero, never with one
 *   inside.
 * - Nothing is allocated on one side and freed on the other. Output goes to
 *   memory or callbacks that the caller supplies.
 * - Unless a comment says otherwise, a pointer handed over is valid during that
 *   call only and must not be kept.
 * - A plugin must not let a C++ exception, a Rust panic or a longjmp leave one
 *   of its functions, must not exit or abort the process, and must not install
 *   signal handlers.
 * - `reserved` fields are written as 0 and ignored when read.
 *
 * Thread tags, as used in the other headers
 *
 *   [main-thread]  called once, from one thread, before anything else
 *   [thread-safe]  called from any thread, also from several at once
 *   [one-thread]   called from any thread, but never from two at once for the
 *                  same context
 */
#ifndef PENTAD_BASE_H
#define PENTAD_BASE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bounds that hold for every plugin. The host reads nothing beyond them: a
 * call that exceeds one fails as a fault of the plugin. */
#define PENTAD_SEATS_MAX 8u           /* players at one board */
#define PENTAD_VARIANTS_MAX 64u       /* variants of one game */
#define PENTAD_SYMMETRIES_MAX 256u    /* symmetries of one variant */
#define PENTAD_ID_LEN_MAX 64u         /* bytes of an id: game, variant, seat, point, piece, reason */
#define PENTAD_TEXT_LEN_MAX 65536u    /* bytes of any other text */
#define PENTAD_POSITION_SIZE_MAX 4096u /* bytes of a position */
#define PENTAD_POSITION_LEN_MAX 4096u /* bytes of a position as text */
#define PENTAD_MOVE_LEN_MAX 128u      /* bytes of a move as text */
#define PENTAD_LINE_LEN_MAX 1024u     /* moves of a line */
#define PENTAD_POINTS_MAX 4096u       /* points, lines, blocks or pieces of a layout */

/* Status that a function returns. Any other value is a fault of the plugin. */
#define PENTAD_OK 0           /* the call succeeded */
#define PENTAD_MALFORMED 1    /* the text breaks the notation; the error says where */
#define PENTAD_ILLEGAL 2      /* the text is well-formed, the rules forbid it; the error says why */
#define PENTAD_GAME_OVER 3    /* a move or search in a finished game */
#define PENTAD_STOPPED 4      /* a callback returned non-zero, so the rest was left out */
#define PENTAD_UNSUPPORTED 5  /* the plugin does not support the call for this variant */
#define PENTAD_NO_MEMORY 6    /* the memory limit is too low; the error says how much is needed */
#define PENTAD_INVALID 7      /* the host broke the contract: no such variant, not a position */
#define PENTAD_FAULT 8        /* the plugin caught a defect of its own (a panic) */

/* A piece of text. `data` may be null only if `len` is 0. */
typedef struct pentad_str {
  const char *data;
  uint64_t len;
} pentad_str_t;

/* A callback that receives text. A text may arrive in several pieces, unless the function
 * that takes the writer says "one call each".
 * OWNERSHIP: the caller owns the writer; `data` is valid during the call only.
 * `write` returns 0 to go on and non-zero to stop: then the function returns
 * PENTAD_STOPPED soon, without further calls. */
typedef struct pentad_writer {
  void *ctx;
  int32_t (*write)(void *ctx, const char *data, uint64_t len);
} pentad_writer_t;

/* Why a call failed, in memory that the caller owns. The caller clears
 * it before the call; the plugin fills it for every status but PENTAD_OK and
 * PENTAD_STOPPED.
 *
 * `field`: the part of the text that is wrong, as the game's rules call it ("board",
 * "side"); may be empty. `column`: position of the offending character in the
 * whole text, from 1; 0 if there is none. `message`: lower case, no full
 * stop, complete without the other two. */
typedef struct pentad_error {
  uint32_t column;
  uint32_t field_len;
  uint32_t message_len;
  uint32_t reserved;
  char field[64];
  char message[432];
} pentad_error_t;

#ifdef __cplusplus
}
#endif

#endif
