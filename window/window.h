/*
** window.h - one window that shows pictures.
**
** SDL opens it, in a module, window.so, that is loaded by the first call: the
** prompt does not wait for it, and a build without SDL lacks only this. A
** picture is drawn as large as the window allows, with its proportions; text
** stands over it in letters of the screen's own pixels.
**
** Console thread only, which is the program's first: macOS takes windows from
** no other. Nothing here waits for anybody.
*/
#ifndef MT_WINDOW_H
#define MT_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct mt_Window mt_Window; /* opaque */

/* Keys that are not characters; others are their Unicode character. */
enum {
  MT_WINDOW_LEFT = 0x110000,
  MT_WINDOW_RIGHT,
  MT_WINDOW_UP,
  MT_WINDOW_DOWN,
  MT_WINDOW_ESCAPE,
  MT_WINDOW_OTHER
};

typedef enum mt_WindowEventKind {
  MT_WINDOW_KEY,    /* 'key' went down, or was repeated; 'down' */
  MT_WINDOW_KEY_UP, /* 'key' went up: letters without Shift */
  MT_WINDOW_MOUSE,  /* moved, or a button changed: x, y, buttons */
  MT_WINDOW_WHEEL,  /* 'turned': up is more than 0 */
  MT_WINDOW_CLOSE   /* the person closes it */
} mt_WindowEventKind;

typedef struct mt_WindowEvent {
  mt_WindowEventKind kind;
  uint32_t key;
  float x, y;       /* in pixels of the picture that is shown, within it */
  unsigned buttons; /* bits: 1 left, 2 middle, 4 right */
  float turned;
} mt_WindowEvent;

/*
** Why no window can be opened, in one sentence; NULL if one may be. Loads
** nothing: it is asked to choose between a window and the terminal.
*/
const char *mt_window_lacks(void);

/*
** A window for pictures of width × height pixels. Small pictures are enlarged
** by a whole factor. On failure '*out' is NULL. mt_window_free closes it.
*/
mt_Status mt_window_new(const char *title, unsigned width, unsigned height,
                        mt_Window **out, mt_Error *err);
void mt_window_free(mt_Window *w); /* NULL is fine */

/*
** Show width × height pixels, red green blue alpha, rows without gaps, and over
** them 'top' and 'bottom': UTF-8, lines by newlines, "" for none. What the font
** lacks is shown as '?'.
*/
mt_Status mt_window_show(mt_Window *w, const uint8_t *rgba, unsigned width,
                         unsigned height, const char *top, const char *bottom,
                         mt_Error *err);

void mt_window_title(mt_Window *w, const char *title);

/* The next event, if there is one. */
bool mt_window_poll(mt_Window *w, mt_WindowEvent *out);

/* For tests: the window's pixels as they were last shown, RGBA, in memory that
** the caller frees; and an event as if the person had caused it, positions in
** points of the window. */
mt_Status mt_window_read(mt_Window *w, uint8_t **rgba, unsigned *width,
                         unsigned *height, mt_Error *err);
void mt_window_pretend(mt_Window *w, const mt_WindowEvent *event);

/* What the module exports: the functions above, in its own hands. */
typedef struct mt_WindowModule {
  mt_Status (*open)(const char *title, unsigned width, unsigned height,
                    mt_Window **out, mt_Error *err);
  void (*close)(mt_Window *w);
  mt_Status (*show)(mt_Window *w, const uint8_t *rgba, unsigned width,
                    unsigned height, const char *top, const char *bottom,
                    mt_Error *err);
  void (*title)(mt_Window *w, const char *title);
  bool (*poll)(mt_Window *w, mt_WindowEvent *out);
  mt_Status (*read)(mt_Window *w, uint8_t **rgba, unsigned *width,
                    unsigned *height, mt_Error *err);
  void (*pretend)(mt_Window *w, const mt_WindowEvent *event);
} mt_WindowModule;

#define MT_WINDOW_ENTRY "mt_window_module" /* of type mt_WindowModule */

#endif
