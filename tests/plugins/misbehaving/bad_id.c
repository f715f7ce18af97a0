/* An id that is not safe in a path. */
#include "well_behaved.h"
#undef GAME_ID
#define GAME_ID "../Matches"
#include "export.h"
