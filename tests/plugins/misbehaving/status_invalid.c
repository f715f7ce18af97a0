/* The host is said to have broken the contract. */
#define WRONG PENTAD_INVALID
#include "statuses.h"
