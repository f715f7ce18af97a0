/* A text with a length of 16 exabytes. */
#include "well_behaved.h"
#define NAME {"Matches", UINT64_MAX}
#include "export.h"
