/* More variants than the bound; the host must not request any. */
#include "well_behaved.h"
static uint32_t many(void) { return UINT32_MAX; }
#define VARIANT_COUNT many
#include "export.h"
