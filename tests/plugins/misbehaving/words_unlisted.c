/* Gives messages, but lists none. */
#include "well_behaved.h"
#include "words.h"
#define NO_MESSAGES
#include "export.h"
