/*
** runtime_symbols.h - C functions and data that generated code uses by name.
**
** A room registers the symbols that it owns:
**
**   static const mt_RuntimeSymbol table[] = {
**       MT_RUNTIME_SYMBOL("mt_fiber_wait", mt_fiber_wait),
**   };
**   MT_OFFERS_SYMBOLS(table)
*/
#ifndef MT_HOST_NATIVE_RUNTIME_SYMBOLS_H
#define MT_HOST_NATIVE_RUNTIME_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

typedef struct mt_RuntimeSymbol {
  const char *name;
  void *address;
} mt_RuntimeSymbol;

typedef struct mt_RuntimeSymbols {
  const mt_RuntimeSymbol *symbol;
  size_t count;
} mt_RuntimeSymbols;

#define MT_RUNTIME_SYMBOL(name, of) {name, (void *)(uintptr_t)(of)}

/* 'symbols' must live as long as the program. Called from constructors, before
** the JIT starts. */
void mt_runtime_symbols_offer(const mt_RuntimeSymbol *symbols, size_t count);

#define MT_OFFERS_SYMBOLS(table)                                      \
  __attribute__((constructor)) static void offer_##table(void) {      \
    mt_runtime_symbols_offer(table, sizeof(table) / sizeof(table)[0]); \
  }

/* All registered tables; returns their number. */
size_t mt_runtime_symbols(const mt_RuntimeSymbols **out);

#endif
