/* Keeps the contract: built for a later ABI 1.y, whose entry is larger. It must load. */
#include "well_behaved.h"
#define NO_ENTRY
#include "export.h"

typedef struct {
  pentad_entry_t known;
  uint64_t unknown_fields[4];
} later_entry_t;

/* The header has given the symbol its type; the assembler only knows its name. */
extern const later_entry_t later_entry __asm__("ruleset_entry");
const later_entry_t later_entry = {
    .known = {.magic = PENTAD_MAGIC,
              .abi_major = PENTAD_ABI_MAJOR,
              .abi_minor = 99,
              .struct_size = sizeof(later_entry_t),
              .id = TEXT(GAME_ID),
              .name = TEXT("Matches for a later ABI"),
              .version = TEXT("1.0.0"),
              .extension = default_extension},
    .unknown_fields = {1, 2, 3, 4},
};
