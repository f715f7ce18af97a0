/* An optional extension is there, but lacks a function. */
#include "well_behaved.h"
#define PIECES_OF NULL
#include "export.h"
