/* A library that is no rule set. */
#include "honest.h"
#define NO_ENTRY
#include "export.h"
