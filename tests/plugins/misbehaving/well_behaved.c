/* No lie at all: the game that the others are made of. */
#include "well_behaved.h"
#include "export.h"
