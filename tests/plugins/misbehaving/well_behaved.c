/* Keeps the contract: the game that the others are made from. */
#include "well_behaved.h"
#include "export.h"
