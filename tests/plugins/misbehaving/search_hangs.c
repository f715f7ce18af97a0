/* A search that never polls `should_stop` and never returns. */
#define _POSIX_C_SOURCE 200809L
#include "well_behaved.h"
#include <unistd.h>
static int32_t hangs(void *context, const uint8_t *position, const pentad_search_request_t *request,
                     const pentad_control_t *control, pentad_error_t *error) {
  (void)context, (void)position, (void)request, (void)control, (void)error;
  while (pause() != 0) {
  }
  return PENTAD_OK;
}
#define RUN hangs
#include "export.h"
