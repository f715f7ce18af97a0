/* Keeps the contract, with every extension: the game that the others are made from. */
#include "well_behaved.h"
#include "words.h"
#include "export.h"
