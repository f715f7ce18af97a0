/* `init` fails with a message. A second call would succeed, but there must not
 * be one. */
#include "well_behaved.h"
static int32_t fail_once(pentad_error_t *error) {
  static int calls;
  return calls++ ? PENTAD_OK : refuse(error, PENTAD_FAULT, "the opening book is missing");
}
#define INIT fail_once
#include "export.h"
