/* Not a rule set, although the symbol is there. */
#include "well_behaved.h"
#define MAGIC UINT64_C(0x0123456789abcdef)
#include "export.h"
