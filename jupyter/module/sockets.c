/*
** sockets.c - ZeroMQ's sockets and libsodium's HMAC.
*/
#include <errno.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "base/thread.h"
#include "jupyter/transport.h"

enum { LINGER = 1000 }; /* milliseconds for what was sent last */

struct mt_JupyterSockets {
  void *context;
  void *socket[MT_JUPYTER_CHANNELS];
  pthread_t heart;
  bool beats;
  size_t key_length;
  unsigned char key[256];
};

static const int types[MT_JUPYTER_CHANNELS] = {
    [MT_JUPYTER_SHELL] = ZMQ_ROUTER,  [MT_JUPYTER_CONTROL] = ZMQ_ROUTER,
    [MT_JUPYTER_STDIN] = ZMQ_ROUTER,  [MT_JUPYTER_IOPUB] = ZMQ_PUB,
    [MT_JUPYTER_HEARTBEAT] = ZMQ_REP,
};

/* Sends back whatever comes, until the context ends. */
static void *beat(void *socket) {
  char bytes[1024];
  for (;;) {
    int n = zmq_recv(socket, bytes, sizeof bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return NULL;
    size_t length = (size_t)n < sizeof bytes ? (size_t)n : sizeof bytes;
    if (zmq_send(socket, bytes, length, 0) < 0 && errno == ETERM) return NULL;
  }
}

static void close_all(mt_JupyterSockets *s) {
  int none = 0;
  for (int i = 0; i < MT_JUPYTER_CHANNELS; i++) {
    if (s->socket[i] == NULL || (i == MT_JUPYTER_HEARTBEAT && s->beats))
      continue;
    zmq_close(s->socket[i]);
  }
  if (s->beats) {
    zmq_ctx_shutdown(s->context);
    pthread_join(s->heart, NULL);
    zmq_setsockopt(s->socket[MT_JUPYTER_HEARTBEAT], ZMQ_LINGER, &none,
                   sizeof none);
    zmq_close(s->socket[MT_JUPYTER_HEARTBEAT]);
  }
  if (s->context)
    while (zmq_ctx_term(s->context) < 0 && errno == EINTR) continue;
  sodium_memzero(s->key, sizeof s->key);
  free(s);
}

static mt_Status bind_all(mt_JupyterSockets *s, const mt_JupyterAddresses *a,
                          mt_Error *err) {
  int linger = LINGER, on = 1;
  for (int i = 0; i < MT_JUPYTER_CHANNELS; i++) {
    void *socket = s->socket[i] = zmq_socket(s->context, types[i]);
    if (socket == NULL)
      return mt_error(err, MT_FAIL, "ZeroMQ gave no socket: %s",
                      zmq_strerror(errno));
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    if (types[i] == ZMQ_ROUTER) /* a notebook that reconnects stays the same */
      zmq_setsockopt(socket, ZMQ_ROUTER_HANDOVER, &on, sizeof on);
    if (zmq_bind(socket, a->address[i]) < 0)
      return mt_error(err, MT_FAIL, "cannot listen at %s: %s", a->address[i],
                      zmq_strerror(errno));
  }
  if (!mt_thread_start(&s->heart, beat, s->socket[MT_JUPYTER_HEARTBEAT]))
    return mt_error(err, MT_FAIL, "no thread could be started");
  s->beats = true;
  return MT_OK;
}

static mt_Status open_all(const mt_JupyterAddresses *a, mt_JupyterSockets **out,
                          mt_Error *err) {
  *out = NULL;
  mt_JupyterSockets *s = calloc(1, sizeof *s);
  size_t length = strlen(a->key);
  if (s == NULL || sodium_init() < 0) {
    free(s);
    return mt_error(err, MT_FAIL, "not enough memory");
  }
  if (length > sizeof s->key) {
    free(s);
    return mt_error(err, MT_BADARG, "the key of the connection is too long");
  }
  memcpy(s->key, a->key, length);
  s->key_length = length;
  s->context = zmq_ctx_new();
  mt_Status status = s->context
                         ? bind_all(s, a, err)
                         : mt_error(err, MT_FAIL, "ZeroMQ does not start: %s",
                                    zmq_strerror(errno));
  if (status == MT_OK)
    *out = s;
  else
    close_all(s);
  return status;
}

/* ----------------------------------------------------------------- messages */

static bool has_more(void *socket) {
  int more = 0;
  size_t size = sizeof more;
  zmq_getsockopt(socket, ZMQ_RCVMORE, &more, &size);
  return more != 0;
}

static bool receive(mt_JupyterSockets *s, mt_JupyterChannel channel,
                    int milliseconds, mt_JupyterFrames *out) {
  void *socket = s->socket[channel];
  zmq_pollitem_t item = {.socket = socket, .events = ZMQ_POLLIN};
  mt_jupyter_frames_free(out);
  if (zmq_poll(&item, 1, milliseconds) <= 0) return false;
  do {
    zmq_msg_t part;
    zmq_msg_init(&part);
    if (zmq_msg_recv(&part, socket, ZMQ_DONTWAIT) < 0) {
      zmq_msg_close(&part);
      return false;
    }
    mt_Str *frame = mt_jupyter_frame_add(out);
    if (frame)
      mt_str_add_bytes(frame, zmq_msg_data(&part), zmq_msg_size(&part));
    if (frame && frame->failed) out->failed = true;
    zmq_msg_close(&part);
  } while (has_more(socket));
  return !out->failed;
}

static void send_frames(mt_JupyterSockets *s, mt_JupyterChannel channel,
                        const mt_JupyterFrames *frames) {
  for (size_t i = 0; i < frames->count; i++) {
    const mt_Str *f = &frames->frame[i];
    int more = i + 1 < frames->count ? ZMQ_SNDMORE : 0;
    while (zmq_send(s->socket[channel], mt_str_text(f), f->length, more) < 0)
      if (errno != EINTR) return;
  }
}

static void sign(const mt_JupyterSockets *s, const mt_JupyterFrames *frames,
                 size_t first, char out[MT_JUPYTER_SIGNATURE + 1]) {
  unsigned char sum[crypto_auth_hmacsha256_BYTES];
  crypto_auth_hmacsha256_state state;
  out[0] = '\0';
  if (s->key_length == 0) return;
  crypto_auth_hmacsha256_init(&state, s->key, s->key_length);
  for (size_t i = first; i < frames->count && i < first + 4; i++)
    crypto_auth_hmacsha256_update(
        &state, (const unsigned char *)mt_str_text(&frames->frame[i]),
        frames->frame[i].length);
  crypto_auth_hmacsha256_final(&state, sum);
  sodium_bin2hex(out, MT_JUPYTER_SIGNATURE + 1, sum, sizeof sum);
}

extern const mt_JupyterModule mt_jupyter_module;
const mt_JupyterModule mt_jupyter_module = {
    .open = open_all,
    .close = close_all,
    .receive = receive,
    .send = send_frames,
    .sign = sign,
    .random = randombytes_buf,
};
