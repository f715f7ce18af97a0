/* A text without bytes that claims to have some. */
#include "well_behaved.h"
#define NAME {NULL, 7}
#include "export.h"
