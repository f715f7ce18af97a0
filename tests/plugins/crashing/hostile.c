/* Does what a rule set in a worker process must not do, when a move is played. Each
 * variant does what its name says and then plays the move; if the sandbox allowed it,
 * the call returns FAULT with a message. The host, not the sandbox, has to stop `grows`,
 * `spins`, `floods` and `lies`.
 *
 * Not in misbehaving/: nothing that loads it may call it in its own process. */
#define _GNU_SOURCE
#define VARIANTS                                                                                             \
  "reads-file", "writes-file", "opens-socket", "forks", "executes", "signals-parent", "raises-limit",        \
      "keeps-after-parent", "grows", "spins", "floods", "lies"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
/* The game below has a `send` of its own. */
#define send system_send
#include <sys/socket.h>
#undef send
#include <sys/wait.h>
#include <unistd.h>

#include "../misbehaving/well_behaved.h"

static int reads_file(void) { return open("/etc/passwd", O_RDONLY) >= 0; }

static int writes_file(void) { return open("/tmp", O_TMPFILE | O_RDWR, 0600) >= 0; }

static int opens_socket(void) { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }

static int forks(void) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(0);
  }
  return child > 0 && waitpid(child, NULL, 0) == child;
}

static int executes(void) {
  /* Does not return if it succeeds, which the host sees as a crash. */
  (void)execl("/bin/true", "true", (char *)NULL);
  return 0;
}

static int signals_parent(void) { return kill(getppid(), 0) == 0; }

static int raises_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) {
    return 0;
  }
  limit.rlim_cur = limit.rlim_max = limit.rlim_max + 4096;
  return setrlimit(RLIMIT_DATA, &limit) == 0;
}

static int keeps_after_parent(void) { return prctl(PR_SET_PDEATHSIG, 0) == 0; }

static void grow(void) {
  for (;;) {
    char *block = malloc(16 << 20);
    if (block == NULL) {
      abort();
    }
    memset(block, 1, 16 << 20);
  }
}

static void spin(void) {
  for (volatile int on = 1; on;) {
  }
}

static void flood(void) {
  for (int line = 0; line < 10000; line++) {
    (void)fprintf(stderr, "line %d of many\n", line);
  }
}

/* Writes to the host on the worker's channel. */
static void lie(void) {
  static const char nonsense[64] = {(char)0xff, (char)0xff, (char)0xff, 0x7f, 1, 2, 3};
  for (int descriptor = 3; descriptor < 256; descriptor++) {
    (void)sendto(descriptor, nonsense, sizeof nonsense, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
  }
}

static int32_t play(uint32_t v, const uint8_t *position, pentad_str_t move, uint8_t *next,
                    const pentad_writer_t *canonical, pentad_error_t *error) {
  static const struct {
    const char *variant;
    int (*attempt)(void);
  } ATTEMPTS[] = {
      {"reads-file", reads_file},         {"writes-file", writes_file},   {"opens-socket", opens_socket},
      {"forks", forks},                   {"executes", executes},         {"signals-parent", signals_parent},
      {"raises-limit", raises_limit},     {"keeps-after-parent", keeps_after_parent},
  };
  for (size_t i = 0; i < sizeof ATTEMPTS / sizeof ATTEMPTS[0]; i++) {
    if (is_variant(v, ATTEMPTS[i].variant) && ATTEMPTS[i].attempt()) {
      return refuse(error, PENTAD_FAULT, "the system let it");
    }
  }
  if (is_variant(v, "grows")) {
    grow();
  } else if (is_variant(v, "spins")) {
    spin();
  } else if (is_variant(v, "floods")) {
    flood();
  } else if (is_variant(v, "lies")) {
    lie();
  }
  return default_play(v, position, move, next, canonical, error);
}
#define PLAY play
#include "../misbehaving/export.h"
