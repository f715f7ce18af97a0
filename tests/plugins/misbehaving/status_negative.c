/* -1 for a failure, as is usual in C. */
#define WRONG -1
#include "statuses.h"
