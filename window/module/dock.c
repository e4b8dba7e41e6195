/*
** dock.c - on a Mac: whether this program has an icon in the Dock.
**
** SDL makes it an application with an icon, for good. Between two windows
** its events are not taken, and the icon would be of one that does not respond:
** so it has one while a window is open. AppKit is SDL's, and is asked by name.
*/
#include "window/module/dock.h"

#ifdef __APPLE__
extern void *objc_lookUpClass(const char *name);
extern void *sel_registerName(const char *name);
extern void objc_msgSend(void);

void mt_window_dock(bool shown) {
  enum { REGULAR, ACCESSORY }; /* of NSApplicationActivationPolicy */
  void *class = objc_lookUpClass("NSApplication");
  if (!class) return;
  void *(*shared)(void *, void *) = (void *(*)(void *, void *))objc_msgSend;
  bool (*set)(void *, void *, long) =
      (bool (*)(void *, void *, long))objc_msgSend;
  void *app = shared(class, sel_registerName("sharedApplication"));
  set(app, sel_registerName("setActivationPolicy:"),
      shown ? REGULAR : ACCESSORY);
}
#else
void mt_window_dock(bool shown) { (void)shown; }
#endif
