/* A text without bytes that claims to have some. */
#include "honest.h"
#define NAME {NULL, 7}
#include "export.h"
