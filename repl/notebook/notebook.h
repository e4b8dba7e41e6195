/*
** notebook.h - the kernel of Jupyter notebooks: runs Lua to answer requests.
*/
#ifndef MT_NOTEBOOK_H
#define MT_NOTEBOOK_H

#include <stdbool.h>

/*
** Serve the notebook of the connection file until it says goodbye, or the
** process that started the kernel is gone. Returns the exit status. With
** 'sandboxed' the cells see what lua/session/sandbox.lua gives them, and have
** limits of memory and time: 'seconds' for each.
*/
int mt_notebook_serve(const char *connection_file, bool sandboxed,
                      double seconds);

#endif
