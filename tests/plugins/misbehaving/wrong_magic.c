/* The symbol exists, but does not begin with the magic number. */
#include "well_behaved.h"
#define MAGIC UINT64_C(0x0123456789abcdef)
#include "export.h"
