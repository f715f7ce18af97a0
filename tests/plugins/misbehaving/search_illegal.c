/* A search whose best move is well-formed and illegal: three matches. */
#include "well_behaved.h"
static int32_t illegal(void *context, const uint8_t *position, const pentad_search_request_t *request,
                       const pentad_control_t *control, pentad_error_t *error) {
  (void)context, (void)position, (void)request, (void)error;
  send(control, "3", PENTAD_RUNNING);
  send(control, "3", PENTAD_STOP_DEPTH);
  return PENTAD_OK;
}
#define RUN illegal
#include "export.h"
