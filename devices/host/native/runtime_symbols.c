/*
** runtime_symbols.c - what generated code may call besides the C library.
**
** The one idea: each file registers its own functions from a constructor.
*/
#include "devices/host/native/runtime_symbols.h"

#include <assert.h>

static mt_RuntimeSymbols offered[16];
static size_t offers;

void mt_runtime_symbols_offer(const mt_RuntimeSymbol *symbols, size_t count) {
  assert(offers < sizeof offered / sizeof *offered);
  offered[offers++] = (mt_RuntimeSymbols){symbols, count};
}

size_t mt_runtime_symbols(const mt_RuntimeSymbols **out) {
  *out = offered;
  return offers;
}
