/* `extension` is null. */
#include "well_behaved.h"
#define EXTENSION NULL
#include "export.h"
