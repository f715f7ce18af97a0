/* Blames the host: PENTAD_INVALID for valid arguments. */
#define WRONG PENTAD_INVALID
#include "statuses.h"
