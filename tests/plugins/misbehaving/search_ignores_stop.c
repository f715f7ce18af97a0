/* A search that does not poll should_stop for three seconds, then ends normally. */
#define _POSIX_C_SOURCE 200809L
#include "well_behaved.h"
#include <time.h>
static int32_t ignores_stop(void *context, const uint8_t *position, const pentad_search_request_t *request,
                    const pentad_control_t *control, pentad_error_t *error) {
  const struct timespec rest = {.tv_sec = 3};
  (void)nanosleep(&rest, NULL);
  return default_run(context, position, request, control, error);
}
#define RUN ignores_stop
#include "export.h"
