/* An entry that ends before its functions. */
#include "honest.h"
#define STRUCT_SIZE 24
#include "export.h"
