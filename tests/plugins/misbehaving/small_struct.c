/* A struct_size that ends before the functions. */
#include "well_behaved.h"
#define STRUCT_SIZE 24
#include "export.h"
