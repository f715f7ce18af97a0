/* No variants. */
#include "well_behaved.h"
static uint32_t none(void) { return 0; }
#define VARIANT_COUNT none
#include "export.h"
