/* Lists the moves from a thread of its own. */
#include "well_behaved.h"
#include <pthread.h>
typedef struct {
  const uint8_t *position;
  pentad_str_t prefix;
  const pentad_writer_t *out;
} job_t;
static void *work(void *job) {
  const job_t *own = job;
  (void)default_legal_moves(0, own->position, own->prefix, own->out);
  return NULL;
}
static int32_t on_other_thread(uint32_t variant, const uint8_t *position, pentad_str_t prefix, const pentad_writer_t *out) {
  (void)variant;
  job_t job = {position, prefix, out};
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, &job) == 0) {
    (void)pthread_join(thread, NULL);
  }
  return PENTAD_OK;
}
#define LEGAL_MOVES on_other_thread
#include "export.h"
