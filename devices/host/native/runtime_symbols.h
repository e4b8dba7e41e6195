/*
** runtime_symbols.h - C functions that generated code calls by name.
*/
#ifndef MT_HOST_NATIVE_RUNTIME_SYMBOLS_H
#define MT_HOST_NATIVE_RUNTIME_SYMBOLS_H

#include "devices/host/native/native.h"


/* All of them; the table lives as long as the program. */
size_t mt_runtime_symbols(const mt_RuntimeSymbol **out);

#endif
