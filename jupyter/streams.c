/*
** streams.c - two pipes, and the thread that empties them.
*/
#include "jupyter/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"

enum {
  OUTPUT,
  ERRORS,
  STREAMS,
  PIECE = 1 << 16, /* bytes of one message, about */
  PAUSE = 10 /* milliseconds between messages: a flood is few large ones */
};

typedef struct Stream {
  const char *name;
  int fd;      /* the end that is read */
  mt_Str rest; /* read, and not published: the beginning of a character */
} Stream;

static Stream streams[STREAMS] = {{"stdout", -1, MT_STR_INIT},
                                  {"stderr", -1, MT_STR_INIT}};
static mt_Jupyter *jupyter;
static pthread_t thread;
static int wake[2]; /* a byte asks for a turn */
static int log_fd = -1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static cJSON *parent; /* of what is published; guarded by 'lock', as below */
static bool silent, ending;
static unsigned long asked, done; /* turns */

/* ------------------------------------------------------------- the thread */

/* Bytes at the end of the text that begin a character and do not end it. */
static size_t unfinished(const char *text, size_t n) {
  for (size_t back = 1; back <= 3 && back <= n; back++) {
    unsigned char b = (unsigned char)text[n - back];
    if ((b & 0xc0) == 0x80) continue;
    size_t length = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : b >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

static void publish(Stream *s, bool all) {
  size_t keep = all ? 0 : unfinished(mt_str_text(&s->rest), s->rest.length);
  size_t n = s->rest.length - keep;
  if (n == 0) return;
  mt_Str text = MT_STR_INIT;
  mt_str_add_utf8(&text, s->rest.text, n);
  memmove(s->rest.text, s->rest.text + n, keep + 1);
  s->rest.length = keep;
  pthread_mutex_lock(&lock);
  bool dropped = silent;
  cJSON *whose = parent ? cJSON_Duplicate(parent, true) : NULL;
  pthread_mutex_unlock(&lock);
  if (!dropped) {
    cJSON *content = cJSON_CreateObject();
    cJSON_AddStringToObject(content, "name", s->name);
    cJSON_AddStringToObject(content, "text", mt_str_text(&text));
    mt_jupyter_publish(jupyter, whose, "stream", content);
  }
  cJSON_Delete(whose);
  mt_str_free(&text);
}

/* Reads what is there; false if there is nothing more. */
static bool take(Stream *s) {
  char bytes[PIECE];
  ssize_t n = read(s->fd, bytes, sizeof bytes);
  if (n <= 0) return n < 0 && errno == EINTR;
  mt_str_add_bytes(&s->rest, bytes, (size_t)n);
  if (s->rest.length >= PIECE) publish(s, false);
  return true;
}

static void empty(void) {
  for (int i = 0; i < STREAMS; i++) {
    while (take(&streams[i])) continue;
    publish(&streams[i], true);
  }
}

static bool answer_turns(void) {
  char bytes[64];
  unsigned long wanted;
  pthread_mutex_lock(&lock);
  wanted = asked;
  bool last = ending;
  pthread_mutex_unlock(&lock);
  while (read(wake[0], bytes, sizeof bytes) > 0) continue;
  empty();
  pthread_mutex_lock(&lock);
  done = wanted;
  pthread_cond_broadcast(&turned);
  pthread_mutex_unlock(&lock);
  return !last;
}

static void *serve(void *none) {
  (void)none;
  struct pollfd fds[STREAMS + 1];
  for (int i = 0; i < STREAMS; i++)
    fds[i] = (struct pollfd){.fd = streams[i].fd, .events = POLLIN};
  fds[STREAMS] = (struct pollfd){.fd = wake[0], .events = POLLIN};
  for (;;) {
    if (poll(fds, STREAMS + 1, -1) < 0) continue;
    if (fds[STREAMS].revents) {
      if (!answer_turns()) return NULL;
      continue;
    }
    for (int i = 0; i < STREAMS; i++)
      if (fds[i].revents) {
        take(&streams[i]);
        publish(&streams[i], false);
      }
    poll(&fds[STREAMS], 1, PAUSE);
  }
}

/* -------------------------------------------------------------- interface */

static bool redirect(Stream *s, int target) {
  int ends[2];
  if (pipe(ends) < 0) return false;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  s->fd = ends[0];
  bool ok = dup2(ends[1], target) >= 0;
  close(ends[1]);
  return ok;
}

mt_Status mt_streams_open(mt_Jupyter *j, mt_Error *err) {
  jupyter = j;
  fflush(stdout);
  log_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (pipe(wake) < 0 || !redirect(&streams[OUTPUT], STDOUT_FILENO) ||
      !redirect(&streams[ERRORS], STDERR_FILENO))
    return mt_error(err, MT_FAIL, "no pipe for the output: %s",
                    strerror(errno));
  for (int i = 0; i < 2; i++) {
    fcntl(wake[i], F_SETFL, O_NONBLOCK);
    fcntl(wake[i], F_SETFD, FD_CLOEXEC);
  }
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  if (!mt_thread_start(&thread, serve, NULL))
    return mt_error(err, MT_FAIL, "no thread could be started");
  return MT_OK;
}

static void wait_for_turn(void) {
  unsigned long mine;
  fflush(stdout);
  fflush(stderr);
  pthread_mutex_lock(&lock);
  mine = ++asked;
  pthread_mutex_unlock(&lock);
  while (write(wake[1], "", 1) < 0 && errno == EINTR) continue;
  pthread_mutex_lock(&lock);
  while (done < mine) pthread_cond_wait(&turned, &lock);
  pthread_mutex_unlock(&lock);
}

void mt_streams_turn(const cJSON *next, bool is_silent) {
  wait_for_turn();
  cJSON *copy = next ? cJSON_Duplicate(next, true) : NULL;
  pthread_mutex_lock(&lock);
  cJSON *before = parent;
  parent = copy;
  silent = is_silent;
  pthread_mutex_unlock(&lock);
  cJSON_Delete(before);
}

void mt_streams_complain(const char *text) {
  if (log_fd < 0) return;
  dprintf(log_fd, "mettle: %s\n", text);
}

void mt_streams_close(void) {
  pthread_mutex_lock(&lock);
  ending = true;
  pthread_mutex_unlock(&lock);
  wait_for_turn();
  pthread_join(thread, NULL);
}
