/*
** transport.c - finds the module with ZeroMQ; lists of frames.
*/
#include "jupyter/transport.h"

#include <stdlib.h>

#include "base/files/module.h"

#define NO_ZMQ                                                    \
  "Jupyter needs ZeroMQ and libsodium (Debian's libzmq3-dev and " \
  "libsodium-dev, Homebrew's zeromq and libsodium)"

const mt_JupyterModule *mt_jupyter_load(mt_Error *err) {
  return mt_module_symbol("jupyter.so", MT_JUPYTER_ENTRY, NO_ZMQ, err);
}

mt_Str *mt_jupyter_frame_add(mt_JupyterFrames *f) {
  if (f->count == f->capacity) {
    size_t more = f->capacity ? 2 * f->capacity : 8;
    mt_Str *grown = realloc(f->frame, more * sizeof *grown);
    if (grown == NULL) {
      f->failed = true;
      return NULL;
    }
    f->frame = grown;
    f->capacity = more;
  }
  mt_Str *s = &f->frame[f->count++];
  *s = (mt_Str)MT_STR_INIT;
  return s;
}

void mt_jupyter_frames_free(mt_JupyterFrames *f) {
  for (size_t i = 0; i < f->count; i++) mt_str_free(&f->frame[i]);
  free(f->frame);
  *f = (mt_JupyterFrames){0};
}
