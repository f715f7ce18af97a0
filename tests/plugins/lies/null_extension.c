/* There is no way to ask for extensions. */
#include "honest.h"
#define EXTENSION NULL
#include "export.h"
