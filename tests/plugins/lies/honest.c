/* No lie at all: the game that the others are made of. */
#include "honest.h"
#include "export.h"
