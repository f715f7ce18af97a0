/* A text of 16 exabytes. */
#include "honest.h"
#define NAME {"Matches", UINT64_MAX}
#include "export.h"
