/*
** notebook.h - the kernel of Jupyter notebooks: answers requests by running
* Lua.
*/
#ifndef MT_NOTEBOOK_H
#define MT_NOTEBOOK_H

/* Serve the notebook of the connection file until it says goodbye, or whoever
** started the kernel is gone. Returns the exit status. */
int mt_notebook_serve(const char *connection_file);

#endif
