/* pentad/pentad.h - everything a rule set in C or C++ needs. */
#ifndef PENTAD_PENTAD_H
#define PENTAD_PENTAD_H

#include "base.h"
#include "entry.h"
#include "layout.h"
#include "messages.h"
#include "move_text.h"
#include "reasons.h"
#include "rules.h"
#include "search.h"
#include "symmetry.h"
#include "threats.h"

#endif
