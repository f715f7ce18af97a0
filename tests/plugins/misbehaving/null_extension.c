/* There is no way to ask for extensions. */
#include "well_behaved.h"
#define EXTENSION NULL
#include "export.h"
