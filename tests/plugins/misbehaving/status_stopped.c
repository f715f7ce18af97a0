/* PENTAD_STOPPED, although no callback returned non-zero. */
#define WRONG PENTAD_STOPPED
#include "statuses.h"
