/* Nothing to play. */
#include "honest.h"
static uint32_t none(void) { return 0; }
#define VARIANT_COUNT none
#include "export.h"
