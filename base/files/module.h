/*
** module.h - Mettle's own shared objects, loaded when they are first used.
**
** host.so, blas.so, window.so and the others lie in one folder (mt_dir_lib).
** Each holds what needs a large library, so that the prompt does not wait for
** that library, and each exports one function or table, by which it is found.
*/
#ifndef MT_MODULE_H
#define MT_MODULE_H

#include "base/status.h"

/*
** The address of 'symbol' of the module 'file' ("blas.so"), which is loaded at
** the first call and stays. NULL, with the line in 'err', if it is not there,
** does not load or is of another build; the line begins with 'missing', which
** says what is missing without it. Threads that a library starts while it
** loads get no signals: Ctrl-C is the console's. Any thread.
*/
void *mt_module_symbol(const char *file, const char *symbol,
                       const char *missing, mt_Error *err);

/* 'symbol' is linked into this program: mt_module_symbol finds it there, at
** 'address', and loads nothing. Before other threads call that one; for a few
** symbols (8), which are not copied. */
void mt_module_provide(const char *symbol, void *address);

#endif
