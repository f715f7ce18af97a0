/* A text that is not UTF-8. */
#include "well_behaved.h"
#define NAME TEXT("M\xe4tches")
#include "export.h"
