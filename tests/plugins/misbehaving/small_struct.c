/* An entry that ends before its functions. */
#include "well_behaved.h"
#define STRUCT_SIZE 24
#include "export.h"
