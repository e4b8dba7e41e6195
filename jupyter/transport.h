/*
** transport.h - the sockets of a Jupyter kernel, and its signatures.
**
** Jupyter speaks ZeroMQ: five sockets, messages of several frames. All that
** knows ZeroMQ, and libsodium for the signatures, is in the module jupyter.so,
** which is loaded by `mettle jupyter` and finds its way here through one table.
**
** A socket belongs to one thread at a time. The shell's and stdin's are used by
** the thread that runs Lua, the control channel's by a thread of its own;
** iopub may be used by any, one after the other. The heartbeat is answered in
** here.
*/
#ifndef MT_JUPYTER_TRANSPORT_H
#define MT_JUPYTER_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

typedef enum mt_JupyterChannel {
  MT_JUPYTER_SHELL,
  MT_JUPYTER_CONTROL,
  MT_JUPYTER_STDIN,
  MT_JUPYTER_IOPUB,
  MT_JUPYTER_HEARTBEAT,
  MT_JUPYTER_CHANNELS
} mt_JupyterChannel;

/* What the connection file says. */
typedef struct mt_JupyterAddresses {
  char address[MT_JUPYTER_CHANNELS][256]; /* "tcp://127.0.0.1:5555" */
  const char *key;                        /* "": messages are not signed */
} mt_JupyterAddresses;

/* The frames of one message, in order. */
typedef struct mt_JupyterFrames {
  mt_Str *frame;
  size_t count, capacity;
  bool failed; /* no memory for a frame */
} mt_JupyterFrames;

/* An empty frame at the end; NULL if there is no memory. */
mt_Str *mt_jupyter_frame_add(mt_JupyterFrames *f);
void mt_jupyter_frames_free(mt_JupyterFrames *f); /* it is empty then */

typedef struct mt_JupyterSockets mt_JupyterSockets; /* opaque */

enum { MT_JUPYTER_SIGNATURE = 64 }; /* hexadecimal digits */

typedef struct mt_JupyterModule {
  mt_Status (*open)(const mt_JupyterAddresses *a, mt_JupyterSockets **out,
                    mt_Error *err);
  /* No other thread uses a socket any more; what was sent has 'a second' to
  ** leave. */
  void (*close)(mt_JupyterSockets *s);
  /* The next message of the channel: false if none came in 'milliseconds'
  ** (less than 0: for ever), or a signal did. */
  bool (*receive)(mt_JupyterSockets *s, mt_JupyterChannel channel,
                  int milliseconds, mt_JupyterFrames *out);
  void (*send)(mt_JupyterSockets *s, mt_JupyterChannel channel,
               const mt_JupyterFrames *frames);
  /* The signature of four frames, 'first' on; "" without a key. */
  void (*sign)(const mt_JupyterSockets *s, const mt_JupyterFrames *frames,
               size_t first, char out[MT_JUPYTER_SIGNATURE + 1]);
  void (*random)(void *bytes, size_t n); /* for identifiers */
} mt_JupyterModule;

#define MT_JUPYTER_ENTRY "mt_jupyter_module"

/* The module, or NULL with a sentence that says what to install. */
const mt_JupyterModule *mt_jupyter_load(mt_Error *err);

#endif
