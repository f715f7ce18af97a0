/* Lists messages without end. */
#include "well_behaved.h"
#include "words.h"

static int32_t list_messages(const pentad_message_lister_t *out) {
  for (unsigned i = 0; i < 100000000u; i++) {
    char id[16] = "message_00000000";
    for (unsigned at = 15, n = i; n > 0; n /= 10) {
      id[at--] = (char)('0' + n % 10);
    }
    const pentad_message_info_t message = {.id = {id, 16}};
    if (out->message(out->ctx, &message) != 0) {
      return PENTAD_STOPPED;
    }
  }
  return PENTAD_OK;
}

#define LIST_MESSAGES list_messages
#include "export.h"
