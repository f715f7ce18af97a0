/* No extension at all, not even `pentad.rules/1`. */
#include "well_behaved.h"
static const void *nothing(pentad_str_t id) {
  (void)id;
  return NULL;
}
#define EXTENSION nothing
#include "export.h"
