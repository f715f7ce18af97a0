/* A template with a parameter that does not exist, in Swedish: that message falls back
 * to English. */
#include "well_behaved.h"
#define TEMPLATES                                                                                                      \
  ENGLISH_REASON, SWEDISH("only_idea", "{seat} tar {number} av {count}"), SEATS_OF_GAME, OUTCOMES
#include "words.h"
#include "export.h"
