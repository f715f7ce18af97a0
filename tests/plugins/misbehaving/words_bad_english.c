/* A template that leaves a parameter out, in English: there are no messages at all. */
#include "well_behaved.h"
#define TEMPLATES ENGLISH("only_idea", "it takes {count}"), SWEDISH_REASON, SEATS_OF_GAME, OUTCOMES
#include "words.h"
#include "export.h"
