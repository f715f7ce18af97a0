/* Hangs while it is loaded: its constructor does not return.
 *
 * Not in misbehaving/: nothing may load it in its own process. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "../misbehaving/well_behaved.h"

__attribute__((constructor)) static void hang(void) {
  for (;;) {
    (void)pause();
  }
}
#include "../misbehaving/export.h"
