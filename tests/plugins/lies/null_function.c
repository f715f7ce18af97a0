/* The rules lack a function. */
#include "honest.h"
#define PLAY NULL
#include "export.h"
