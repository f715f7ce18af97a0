/* A null text with a length. */
#include "well_behaved.h"
#define NAME {NULL, 7}
#include "export.h"
