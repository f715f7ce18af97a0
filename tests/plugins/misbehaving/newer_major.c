/* Built for an ABI that this host does not support. */
#include "well_behaved.h"
#define ABI_MAJOR (PENTAD_ABI_MAJOR + 1)
#include "export.h"
