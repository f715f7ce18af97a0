/* pentad/reasons.h - "pentad.reasons/1": why a move is good or bad;
 * "pentad.reason_codes/1": the codes that its reasons carry.
 */
#ifndef PENTAD_REASONS_H
#define PENTAD_REASONS_H

#include "base.h"
#include "search.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PENTAD_REASONS_1 "pentad.reasons/1"

/* One reason. */
typedef struct pentad_reason {
  pentad_str_t code; /* from a short list that the game documents: "wins_now" */
  pentad_str_t text; /* one sentence for players */
  const pentad_str_t *points; /* the points of the layout it is about, by id */
  uint64_t n_points;
} pentad_reason_t;

/* Receives reasons, the most important first, one call each. `give` returns
 * non-zero to stop.
 * OWNERSHIP: the reason is the plugin's and valid during the call only. */
typedef struct pentad_explainer {
  void *ctx;
  int32_t (*give)(void *ctx, const pentad_reason_t *reason);
} pentad_explainer_t;

typedef struct pentad_reasons {
  /* Explains the first move of line `line_idx` of a report about `position`. The
   * other lines of the report are for comparison. The report may come
   * from another search than the plugin's own, or from a symmetric position. The
   * host may explain several lines of one report, in one call each.
   * OWNERSHIP: the host owns everything handed over.
   * [thread-safe] */
  int32_t (*explain)(uint32_t variant, const uint8_t *position,
                     const pentad_report_t *report, uint64_t line_idx,
                     const pentad_explainer_t *out);
} pentad_reasons_t;

#define PENTAD_REASON_CODES_1 "pentad.reason_codes/1"

/* A code that reasons carry. */
typedef struct pentad_reason_code {
  pentad_str_t code; /* as in pentad_reason_t */
  pentad_str_t description; /* meaning of the code, one line */
  uint32_t names_points; /* 1 if its reasons may name points, else 0 */
  uint32_t reserved; /* 0 */
} pentad_reason_code_t;

/* Receives codes, one call each. `give` returns non-zero to stop.
 * OWNERSHIP: the code is the plugin's and valid during the call only. */
typedef struct pentad_code_lister {
  void *ctx;
  int32_t (*give)(void *ctx, const pentad_reason_code_t *code);
} pentad_code_lister_t;

typedef struct pentad_reason_codes {
  /* Hands every code that `explain` may give to `out`, each once. Called once,
   * when the plugin is loaded.
   * OWNERSHIP: the host owns `out`.
   * [thread-safe] */
  int32_t (*list)(const pentad_code_lister_t *out);
} pentad_reason_codes_t;

#ifdef __cplusplus
}
#endif

#endif
