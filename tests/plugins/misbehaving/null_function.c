/* The rules lack a function. */
#include "well_behaved.h"
#define PLAY NULL
#include "export.h"
