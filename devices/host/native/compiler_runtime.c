/*
** compiler_runtime.c - what LLVM calls where a CPU has no instruction.
**
** The one idea: the names are those of LLVM's own list (llvm/IR/
** RuntimeLibcalls.td) for half, bfloat, 128-bit integers and integer powers, on
** x86-64 and aarch64. A compiler links them into a program from its runtime
** library; code in memory finds only what is offered here, and a system's
** libraries have some, others or none of them.
*/
#include <stdbool.h>
#include <string.h>

#include "base/kernel_types/half.h"
#include "devices/host/native/runtime_symbols.h"

typedef __int128 Wide;
typedef unsigned __int128 UWide;

/*
** A half or bfloat is the low 16 bits of a floating-point register, as a float
** is its low 32. Only Intel's Macs pass the half of the three conversions in an
** integer register.
*/
typedef float Half;
#if defined __APPLE__ && defined __x86_64__
typedef uint16_t Converted;
#else
typedef float Converted;
#endif

static Half as_half(uint16_t bits) {
  uint32_t low = bits;
  Half h;
  memcpy(&h, &low, sizeof h);
  return h;
}

static uint16_t half_bits(Half h) {
  uint32_t low;
  memcpy(&low, &h, sizeof low);
  return (uint16_t)low;
}

static Converted converted(uint16_t bits) {
#if defined __APPLE__ && defined __x86_64__
  return bits;
#else
  return as_half(bits);
#endif
}

static uint16_t converted_bits(Converted h) {
#if defined __APPLE__ && defined __x86_64__
  return h;
#else
  return half_bits(h);
#endif
}

/* ----------------------------------------------------------- half, bfloat */

static Converted truncsfhf(float f) { return converted(mt_half_from_float(f)); }
static Converted truncdfhf(double d) {
  return converted(mt_half_from_double(d));
}
static float extendhfsf(Converted h) {
  return mt_half_to_float(converted_bits(h));
}
static double extendhfdf(Half h) { return mt_half_to_float(half_bits(h)); }
static Half truncsfbf(float f) { return as_half(mt_bfloat_from_float(f)); }
static Half truncdfbf(double d) { return as_half(mt_bfloat_from_double(d)); }
static float extendbfsf(Half b) { return mt_bfloat_to_float(half_bits(b)); }

static int32_t fixhfsi(Half h) { return (int32_t)extendhfdf(h); }
static int64_t fixhfdi(Half h) { return (int64_t)extendhfdf(h); }
static Wide fixhfti(Half h) { return (Wide)extendhfdf(h); }
static uint32_t fixunshfsi(Half h) { return (uint32_t)extendhfdf(h); }
static uint64_t fixunshfdi(Half h) { return (uint64_t)extendhfdf(h); }
static UWide fixunshfti(Half h) { return (UWide)extendhfdf(h); }

/* A double that rounds to half and bfloat as the integer does: its first bits,
** the last of which is odd if others were lost. */
static double leading(UWide n) {
  unsigned lost = 0;
  bool sticky = false;
  for (; n >> 40; n >>= 1, lost++) sticky |= n & 1;
  double d = (double)(uint64_t)(n | sticky);
  for (; lost; lost--) d *= 2;
  return d;
}

static double leading_signed(Wide n) {
  return n < 0 ? -leading(-(UWide)n) : leading((UWide)n);
}

static Half floattihf(Wide n) {
  return as_half(mt_half_from_double(leading_signed(n)));
}
static Half floatuntihf(UWide n) {
  return as_half(mt_half_from_double(leading(n)));
}
static Half floatsihf(int32_t n) { return floattihf(n); }
static Half floatdihf(int64_t n) { return floattihf(n); }
static Half floatunsihf(uint32_t n) { return floatuntihf(n); }
static Half floatundihf(uint64_t n) { return floatuntihf(n); }
static Half floatdibf(int64_t n) {
  return as_half(mt_bfloat_from_double(leading_signed(n)));
}
static Half floatundibf(uint64_t n) {
  return as_half(mt_bfloat_from_double(leading(n)));
}

/* ------------------------------------------------------- 128-bit integers */

static Wide divti(Wide a, Wide b) { return a / b; }
static Wide modti(Wide a, Wide b) { return a % b; }
static UWide udivti(UWide a, UWide b) { return a / b; }
static UWide umodti(UWide a, UWide b) { return a % b; }
static Wide multi(Wide a, Wide b) { return a * b; }
static Wide muloti(Wide a, Wide b, int *overflows) {
  Wide product;
  *overflows = __builtin_mul_overflow(a, b, &product);
  return product;
}
static Wide ashlti(Wide a, int n) { return (Wide)((UWide)a << n); }
static Wide ashrti(Wide a, int n) { return a >> n; }
static UWide lshrti(UWide a, int n) { return a >> n; }
static int clzti(Wide a) {
  uint64_t high = (uint64_t)((UWide)a >> 64);
  return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)a);
}
static int popcountti(Wide a) {
  return __builtin_popcountll((uint64_t)a) +
         __builtin_popcountll((uint64_t)((UWide)a >> 64));
}
static float floattisf(Wide n) { return (float)n; }
static double floattidf(Wide n) { return (double)n; }
static float floatuntisf(UWide n) { return (float)n; }
static double floatuntidf(UWide n) { return (double)n; }
static Wide fixsfti(float f) { return (Wide)f; }
static Wide fixdfti(double d) { return (Wide)d; }
static UWide fixunssfti(float f) { return (UWide)f; }
static UWide fixunsdfti(double d) { return (UWide)d; }

/* ---------------------------------------------------------------- powers */

/* By squaring, as in compilers' own runtimes: the same bits. */
static double powidf(double x, int n) {
  double power = 1;
  for (int left = n;; x *= x) {
    if (left & 1) power *= x;
    left /= 2;
    if (!left) break;
  }
  return n < 0 ? 1 / power : power;
}

static float powisf(float x, int n) {
  float power = 1;
  for (int left = n;; x *= x) {
    if (left & 1) power *= x;
    left /= 2;
    if (!left) break;
  }
  return n < 0 ? 1 / power : power;
}

static const mt_RuntimeSymbol table[] = {
    MT_RUNTIME_SYMBOL("__truncsfhf2", truncsfhf),
    MT_RUNTIME_SYMBOL("__truncdfhf2", truncdfhf),
    MT_RUNTIME_SYMBOL("__extendhfsf2", extendhfsf),
    MT_RUNTIME_SYMBOL("__extendhfdf2", extendhfdf),
    MT_RUNTIME_SYMBOL("__gnu_f2h_ieee", truncsfhf),
    MT_RUNTIME_SYMBOL("__gnu_h2f_ieee", extendhfsf),
    MT_RUNTIME_SYMBOL("__truncsfbf2", truncsfbf),
    MT_RUNTIME_SYMBOL("__truncdfbf2", truncdfbf),
    MT_RUNTIME_SYMBOL("__extendbfsf2", extendbfsf),
    MT_RUNTIME_SYMBOL("__fixhfsi", fixhfsi),
    MT_RUNTIME_SYMBOL("__fixhfdi", fixhfdi),
    MT_RUNTIME_SYMBOL("__fixhfti", fixhfti),
    MT_RUNTIME_SYMBOL("__fixunshfsi", fixunshfsi),
    MT_RUNTIME_SYMBOL("__fixunshfdi", fixunshfdi),
    MT_RUNTIME_SYMBOL("__fixunshfti", fixunshfti),
    MT_RUNTIME_SYMBOL("__floatsihf", floatsihf),
    MT_RUNTIME_SYMBOL("__floatdihf", floatdihf),
    MT_RUNTIME_SYMBOL("__floattihf", floattihf),
    MT_RUNTIME_SYMBOL("__floatunsihf", floatunsihf),
    MT_RUNTIME_SYMBOL("__floatundihf", floatundihf),
    MT_RUNTIME_SYMBOL("__floatuntihf", floatuntihf),
    MT_RUNTIME_SYMBOL("__floatdibf", floatdibf),
    MT_RUNTIME_SYMBOL("__floatundibf", floatundibf),
    MT_RUNTIME_SYMBOL("__divti3", divti),
    MT_RUNTIME_SYMBOL("__modti3", modti),
    MT_RUNTIME_SYMBOL("__udivti3", udivti),
    MT_RUNTIME_SYMBOL("__umodti3", umodti),
    MT_RUNTIME_SYMBOL("__multi3", multi),
    MT_RUNTIME_SYMBOL("__muloti4", muloti),
    MT_RUNTIME_SYMBOL("__ashlti3", ashlti),
    MT_RUNTIME_SYMBOL("__ashrti3", ashrti),
    MT_RUNTIME_SYMBOL("__lshrti3", lshrti),
    MT_RUNTIME_SYMBOL("__clzti2", clzti),
    MT_RUNTIME_SYMBOL("__popcountti2", popcountti),
    MT_RUNTIME_SYMBOL("__floattisf", floattisf),
    MT_RUNTIME_SYMBOL("__floattidf", floattidf),
    MT_RUNTIME_SYMBOL("__floatuntisf", floatuntisf),
    MT_RUNTIME_SYMBOL("__floatuntidf", floatuntidf),
    MT_RUNTIME_SYMBOL("__fixsfti", fixsfti),
    MT_RUNTIME_SYMBOL("__fixdfti", fixdfti),
    MT_RUNTIME_SYMBOL("__fixunssfti", fixunssfti),
    MT_RUNTIME_SYMBOL("__fixunsdfti", fixunsdfti),
    MT_RUNTIME_SYMBOL("__powisf2", powisf),
    MT_RUNTIME_SYMBOL("__powidf2", powidf),
};

MT_OFFERS_SYMBOLS(table)
