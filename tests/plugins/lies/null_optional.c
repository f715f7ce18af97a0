/* An optional extension is there, but lacks a function. */
#include "honest.h"
#define PIECES_OF NULL
#include "export.h"
