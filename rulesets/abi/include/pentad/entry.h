/* pentad/entry.h - the one symbol that a plugin exports.
 *
 * A plugin is a shared library with one exported object named `ruleset_entry`.
 * The host loads it by absolute path with RTLD_NOW | RTLD_LOCAL and never
 * unloads it. It reads the first fields, in this order, before it calls
 * anything:
 *
 *   1. magic       anything else is not a rule set
 *   2. abi_major   must equal the host's
 *   3. abi_minor   may be older or newer; see below
 *   4. struct_size at least the size this struct had in 1.0
 *
 * The promise: a plugin built for ABI 1.x loads in every host of ABI 1.y, whether
 * y is smaller or greater than x. Released structs never change; anything new is
 * an extension with a new id, and a side that does not know the id works without
 * it.
 */
#ifndef PENTAD_ENTRY_H
#define PENTAD_ENTRY_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes "PENTAD", 0x0d, 0x0a when written in little endian. */
#define PENTAD_MAGIC UINT64_C(0x0a0d4441544e4550)
#define PENTAD_ABI_MAJOR 1u
#define PENTAD_ABI_MINOR 0u

typedef struct pentad_entry {
  uint64_t magic;       /* PENTAD_MAGIC */
  uint32_t abi_major;   /* PENTAD_ABI_MAJOR of the header the plugin was built with */
  uint32_t abi_minor;   /* PENTAD_ABI_MINOR likewise */
  uint32_t struct_size; /* sizeof(pentad_entry_t) likewise */
  uint32_t reserved;

  /* Constant text, valid for the life of the process.
   * id: lower-case letters, digits and '-', starting with a letter; unique
   *     among the games of a server.
   * version: the version of the rule set, e.g. "1.4.2".
   * rules, notation: for players, plain text in a few lines: how the game is
   *     played; how positions and moves are written. */
  pentad_str_t id;
  pentad_str_t name;
  pentad_str_t version;
  pentad_str_t rules;
  pentad_str_t notation;

  /* Initialises the plugin (tables and the like). May be null. Any status but
   * PENTAD_OK means that the plugin will not be used.
   * OWNERSHIP: the host owns `error`.
   * [main-thread] */
  int32_t (*init)(pentad_error_t *error);

  /* Returns the extension with that id, or null if the plugin does not have it.
   * "pentad.rules/1" is required, all others are optional:
   *   "pentad.rules/1"            pentad_rules_t            rules.h
   *   "pentad.search/1"           pentad_search_t           search.h
   *   "pentad.symmetry/1"         pentad_symmetry_t         symmetry.h
   *   "pentad.layout/1"           pentad_layout_ext_t       layout.h
   *   "pentad.reasons/1"          pentad_reasons_t          reasons.h
   *   "pentad.reason_codes/1"     pentad_reason_codes_t     reasons.h
   *   "pentad.threats/1"          pentad_threats_t          threats.h
   *   "pentad.messages/1"         pentad_messages_t         messages.h
   *   "pentad.reasons/2"          pentad_spoken_reasons_t   messages.h
   *   "pentad.outcome_message/1"  pentad_outcome_message_t  messages.h
   *   "pentad.move_text/1"        pentad_move_text_t        move_text.h
   * No function pointer of an extension may be null.
   * OWNERSHIP: the plugin owns the struct; it is constant and valid for the
   * life of the process.
   * [thread-safe] */
  const void *(*extension)(pentad_str_t id);
} pentad_entry_t;

/* In C, a plugin defines this object. The default visibility must be kept. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const pentad_entry_t ruleset_entry;

#ifdef __cplusplus
}
#endif

#endif
