/* A status that does not exist. */
#define WRONG 99
#include "statuses.h"
