/* Keeps the contract with the one extension that every rule set must have. */
#include "well_behaved.h"
#define EXTENSION rules_only
static const void *rules_only(pentad_str_t id);
#include "export.h"
static const void *rules_only(pentad_str_t id) {
  const void *table = default_extension(id);
  return table == &RULES ? table : NULL;
}
