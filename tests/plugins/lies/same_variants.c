/* Two variants with one id. */
#define VARIANTS "standard", "standard"
#include "honest.h"
#include "export.h"
