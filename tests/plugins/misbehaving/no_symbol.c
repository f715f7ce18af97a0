/* A library without `ruleset_entry`. */
#include "well_behaved.h"
#define NO_ENTRY
#include "export.h"
