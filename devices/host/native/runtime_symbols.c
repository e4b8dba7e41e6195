/*
** runtime_symbols.c - what generated code may call besides the C library.
**
** The one idea: each room registers its own functions from a constructor. Those
** of this room convert half and bfloat where the CPU has no instruction: LLVM
** calls them by these names, and not every system's compiler runtime has them
** all. They pass half in a floating-point register, as LLVM does.
*/
#include "devices/host/native/runtime_symbols.h"

#include <assert.h>
#include <string.h>

#include "base/half.h"
#include "devices/host/native/native.h"

#ifdef __FLT16_MAX__
typedef _Float16 Half; /* passed in a floating-point register */
#else
typedef uint16_t Half;
#endif

static Half as_half(uint16_t bits) {
  Half h;
  memcpy(&h, &bits, sizeof h);
  return h;
}

static uint16_t half_bits(Half h) {
  uint16_t bits;
  memcpy(&bits, &h, sizeof bits);
  return bits;
}

static Half float_to_half(float f) { return as_half(mt_half_from_float(f)); }
static float half_to_float(Half h) { return mt_half_to_float(half_bits(h)); }

static Half float_to_bfloat(float f) {
  return as_half(mt_bfloat_from_float(f));
}

static const mt_RuntimeSymbol table[] = {
    MT_RUNTIME_SYMBOL("__truncsfhf2", float_to_half),
    MT_RUNTIME_SYMBOL("__gnu_f2h_ieee", float_to_half),
    MT_RUNTIME_SYMBOL("__extendhfsf2", half_to_float),
    MT_RUNTIME_SYMBOL("__gnu_h2f_ieee", half_to_float),
    MT_RUNTIME_SYMBOL("__truncsfbf2", float_to_bfloat),
};

static mt_RuntimeSymbols offered[8];
static size_t offers;

void mt_runtime_symbols_offer(const mt_RuntimeSymbol *symbols, size_t count) {
  assert(offers < sizeof offered / sizeof *offered);
  offered[offers++] = (mt_RuntimeSymbols){symbols, count};
}

size_t mt_runtime_symbols(const mt_RuntimeSymbols **out) {
  *out = offered;
  return offers;
}

MT_OFFERS_SYMBOLS(table)
