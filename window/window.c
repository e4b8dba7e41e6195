/*
** window.c - finds the module with SDL when the first window is opened.
*/
#include "window/window.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/files/module.h"

#define NO_SDL \
  "a window needs SDL 2 (Debian's libsdl2-dev, Homebrew's sdl2)"

static const mt_WindowModule *module;

static bool set(const char *name) {
  const char *value = getenv(name);
  return value && *value;
}

/* SDL would also take over a console without a desktop, or fail after a while:
** a window is for a person who sits in front of one. */
static const char *no_display(void) {
  if (set("SDL_VIDEODRIVER")) return NULL;
#ifdef __APPLE__
  if (set("SSH_CONNECTION"))
    return "this is a connection by ssh: a window would open on the Mac's own "
           "screen";
#else
  if (!set("DISPLAY") && !set("WAYLAND_DISPLAY"))
    return "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set";
#endif
  return NULL;
}

const char *mt_window_lacks(void) {
  char path[PATH_MAX];
  const char *folder = mt_dir_lib();
  const char *why = no_display();
  if (why) return why;
  snprintf(path, sizeof path, "%s/window.so", folder ? folder : ".");
  return mt_file_exists(path) ? NULL
         : NO_SDL ": install it and run 'make' where Mettle's source is";
}

mt_Status mt_window_new(const char *title, unsigned width, unsigned height,
                        mt_Window **out, mt_Error *err) {
  *out = NULL;
  const char *why = no_display();
  if (why) return mt_error(err, MT_FAIL, "%s", why);
  if (module == NULL)
    module = mt_module_symbol("window.so", MT_WINDOW_ENTRY, NO_SDL, err);
  if (module == NULL) return MT_FAIL;
  return module->open(title, width, height, out, err);
}

void mt_window_free(mt_Window *w) {
  if (w) module->close(w);
}

mt_Status mt_window_show(mt_Window *w, const uint8_t *rgba, unsigned width,
                         unsigned height, const char *top, const char *bottom,
                         mt_Error *err) {
  return module->show(w, rgba, width, height, top, bottom, err);
}

void mt_window_title(mt_Window *w, const char *title) {
  module->title(w, title);
}

bool mt_window_poll(mt_Window *w, mt_WindowEvent *out) {
  return module->poll(w, out);
}

mt_Status mt_window_read(mt_Window *w, uint8_t **rgba, unsigned *width,
                         unsigned *height, mt_Error *err) {
  return module->read(w, rgba, width, height, err);
}

void mt_window_pretend(mt_Window *w, const mt_WindowEvent *event) {
  module->pretend(w, event);
}
