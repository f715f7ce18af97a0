/* Needs a function that no library has, so that it cannot be linked. */
#include "well_behaved.h"
extern uint32_t no_such_function(void);
#define VARIANT_COUNT no_such_function
#include "export.h"
