/* Two variants with one id. */
#define VARIANTS "standard", "standard"
#include "well_behaved.h"
#include "export.h"
