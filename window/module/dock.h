/*
** dock.h - an icon in a Mac's Dock while a window is open; see dock.c.
*/
#ifndef MT_WINDOW_DOCK_H
#define MT_WINDOW_DOCK_H

#include <stdbool.h>

/* After SDL has opened its screen. On the main thread; elsewhere than on a Mac
** it does nothing. */
void mt_window_dock(bool shown);

#endif
