/* Minus one for "failed", as elsewhere in C. */
#define WRONG -1
#include "statuses.h"
