/* A search that ends without a final report; in the second variant without any
 * report. */
#define VARIANTS "running-only", "silent"
#include "well_behaved.h"
static int32_t silent(void *context, const uint8_t *position, const pentad_search_request_t *request,
                      const pentad_control_t *control, pentad_error_t *error) {
  (void)position, (void)request, (void)error;
  if (is_variant(*(uint32_t *)context, "running-only")) {
    send(control, "1", PENTAD_RUNNING);
  }
  return PENTAD_OK;
}
#define RUN silent
#include "export.h"
