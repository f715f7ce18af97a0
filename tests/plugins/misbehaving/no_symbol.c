/* A library that is no rule set. */
#include "well_behaved.h"
#define NO_ENTRY
#include "export.h"
