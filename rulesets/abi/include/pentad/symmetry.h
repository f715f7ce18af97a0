/* pentad/symmetry.h - "pentad.symmetry/1": equivalent positions.
 *
 * A symmetry maps positions to positions of the same value: a turned or
 * mirrored board, colours swapped together with the side to move. The host
 * uses it to cache one answer for all of them. Symmetries are numbered from 0,
 * and 0 is the identity.
 */
#ifndef PENTAD_SYMMETRY_H
#define PENTAD_SYMMETRY_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PENTAD_SYMMETRY_1 "pentad.symmetry/1"

typedef struct pentad_symmetry {
  /* Returns the number of symmetries of a variant: 1 to PENTAD_SYMMETRIES_MAX.
   * [thread-safe] */
  uint32_t (*count)(uint32_t variant);

  /* Returns the inverse of `symmetry`.
   * OWNERSHIP: the host owns `inverse`.
   * [thread-safe] */
  int32_t (*inverse)(uint32_t variant, uint32_t symmetry, uint32_t *inverse);

  /* Maps a position.
   * OWNERSHIP: the host owns `position` (never changed) and `out`
   * (position_size bytes, not overlapping `position`).
   * [thread-safe] */
  int32_t (*apply)(uint32_t variant, uint32_t symmetry, const uint8_t *position,
                   uint8_t *out);

  /* Maps a legal move of `position` to the same move of the mapped position,
   * both in canonical text; `out` gets it in one call.
   * OWNERSHIP: the host owns everything handed over.
   * [thread-safe] */
  int32_t (*apply_move)(uint32_t variant, uint32_t symmetry,
                        const uint8_t *position, pentad_str_t move,
                        const pentad_writer_t *out, pentad_error_t *error);

  /* Maps a seat: the player at `seat` of a position is at `*out` in the mapped
   * one.
   * OWNERSHIP: the host owns `out`.
   * [thread-safe] */
  int32_t (*apply_seat)(uint32_t variant, uint32_t symmetry, uint32_t seat,
                        uint32_t *out);

  /* Returns the canonical representative of all symmetric positions, the same for
   * each of them, and a symmetry that maps `position` to it.
   * OWNERSHIP: the host owns `position` (never changed), `out` (position_size
   * bytes, not overlapping `position`) and `symmetry`.
   * [thread-safe] */
  int32_t (*canonical)(uint32_t variant, const uint8_t *position, uint8_t *out,
                       uint32_t *symmetry);
} pentad_symmetry_t;

#ifdef __cplusplus
}
#endif

#endif
