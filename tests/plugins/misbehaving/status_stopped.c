/* Stopped, although nobody asked. */
#define WRONG PENTAD_STOPPED
#include "statuses.h"
