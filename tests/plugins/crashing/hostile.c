/* Does what a rule set in a worker process must not do, when a move is played. Each
 * variant does what its name says and then plays the move; if the sandbox allowed it,
 * the call returns FAULT with a message. Those that end in `-early` report what the
 * constructor could do. The host, not the sandbox, has to stop `grows`, `spins`, `floods`,
 * `lies`, `starts-threads` and `spins-after`.
 *
 * Not in misbehaving/: nothing that loads it may call it in its own process. */
#define _GNU_SOURCE
#define VARIANTS                                                                                             \
  "reads-file", "writes-file", "opens-socket", "forks", "executes", "signals-parent", "raises-limit",        \
      "keeps-after-parent", "shares-memory", "grows-stack", "owns-descriptors", "finds-path", "reads-early",      \
      "writes-early", "finds-early", "grows", "spins", "floods", "lies", "starts-threads", "spins-after"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
/* The game below has a `send` of its own. */
#define send system_send
#include <sys/socket.h>
#undef send
#include <sys/stat.h>
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

static int maps(int flags) {
  return mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0) != MAP_FAILED;
}

static int shares_memory(void) { return maps(MAP_SHARED); }

static int grows_stack(void) { return maps(MAP_PRIVATE | MAP_GROWSDOWN); }

/* The kernel would then send a signal to the host when a descriptor can be read. */
static int owns_descriptors(void) {
  for (int descriptor = 0; descriptor < 256; descriptor++) {
    const int flags = fcntl(descriptor, F_GETFL);
    struct f_owner_ex owner = {F_OWNER_PID, getppid()};
    int on = 1;
    if (flags >= 0 && (fcntl(descriptor, F_SETSIG, SIGURG) == 0 || fcntl(descriptor, F_SETOWN, getppid()) == 0 ||
                       fcntl(descriptor, F_SETOWN_EX, &owner) == 0 ||
                       (fcntl(descriptor, F_SETFL, flags | O_ASYNC) == 0 &&
                        (fcntl(descriptor, F_GETFL) & O_ASYNC) != 0) ||
                       (ioctl(descriptor, FIOASYNC, &on) == 0 && (fcntl(descriptor, F_GETFL) & O_ASYNC) != 0))) {
      return 1;
    }
  }
  return 0;
}

static int finds_path(void) {
  struct stat status;
  return stat("/etc/passwd", &status) == 0 || access("/etc/passwd", F_OK) == 0;
}

static int read_early, wrote_early, found_early;

__attribute__((constructor)) static void try_early(void) {
  read_early = reads_file();
  wrote_early = writes_file();
  found_early = finds_path();
}

static int reads_early(void) { return read_early; }

static int writes_early(void) { return wrote_early; }

static int finds_early(void) { return found_early; }

static void *sleep_long(void *unused) {
  (void)sleep(60);
  return unused;
}

static void *spin_long(void *unused) {
  for (volatile int on = 1; on;) {
  }
  return unused;
}

static void start_threads(int n_threads, void *(*run)(void *)) {
  pthread_attr_t small;
  pthread_t thread;
  (void)pthread_attr_init(&small);
  (void)pthread_attr_setstacksize(&small, 64 << 10);
  for (int i = 0; i < n_threads; i++) {
    (void)pthread_create(&thread, &small, run, NULL);
  }
}

/* Waits to be ended; returns if that does not happen. */
static int starts_threads(void) {
  start_threads(1500, sleep_long);
  (void)sleep(50);
  return 1;
}

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
      {"shares-memory", shares_memory},   {"grows-stack", grows_stack},
      {"finds-path", finds_path},         {"owns-descriptors", owns_descriptors},
      {"reads-early", reads_early},       {"writes-early", writes_early},
      {"finds-early", finds_early},       {"starts-threads", starts_threads},
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
  } else if (is_variant(v, "spins-after")) {
    start_threads(32, spin_long);
  }
  return default_play(v, position, move, next, canonical, error);
}
#define PLAY play
#include "../misbehaving/export.h"
