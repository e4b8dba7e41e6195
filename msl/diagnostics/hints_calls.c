/*
** hints_calls.c - the signatures of the most common library functions.
**
** "no matching function for call to 'clamp'" does not say what would match;
** Clang's notes list overloads in our headers. So each name has one line here,
** with the parameters as in the specification. And for "call to 'max' is
** ambiguous" the line says which argument to change.
*/
#include <ctype.h>
#include <string.h>

#include "msl/module.h"

static const struct {
  const char *name, *form;
} calls[] = {
    {"clamp",
     "clamp(x, low, high): three values of one type, or a vector and two "
     "scalars"},
    {"mix", "mix(a, b, t): a where t is 0, b where t is 1"},
    {"step", "step(edge, x)"},
    {"smoothstep", "smoothstep(low, high, x)"},
    {"saturate", "saturate(x)"},
    {"min", "min(a, b), both of one type"},
    {"max", "max(a, b), both of one type"},
    {"sqrt", "sqrt(x)"},
    {"exp", "exp(x)"},
    {"log", "log(x)"},
    {"sin", "sin(x)"},
    {"cos", "cos(x)"},
    {"abs", "abs(x)"},
    {"floor", "floor(x)"},
    {"pow", "pow(x, y)"},
    {"fma", "fma(a, b, c)"},
    {"fmod", "fmod(x, y)"},
    {"atan2", "atan2(y, x)"},
    {"select", "select(a, b, condition): b where the condition is true"},
    {"dot", "dot(a, b) of two vectors of one size, of float or half"},
    {"cross", "cross(a, b) of two vectors of three components"},
    {"length", "length(v) of a vector of float or half"},
    {"distance", "distance(a, b) of two vectors of one size"},
    {"normalize", "normalize(v) of a vector of float or half"},
    {"reflect", "reflect(v, normal)"},
    {"refract", "refract(v, normal, eta)"},
    {"sincos",
     "sincos(x, cosine), where cosine is a variable that takes the result"},
    {"modf", "modf(x, whole), where whole is a variable that takes the result"},
    {"frexp",
     "frexp(x, exponent), where exponent is an int variable that takes the "
     "result"},
    {"ldexp", "ldexp(x, n), where n is an int"},
    {"threadgroup_barrier",
     "threadgroup_barrier(mem_flags::mem_threadgroup), or mem_device for "
     "buffers"},
    {"simdgroup_barrier", "simdgroup_barrier(mem_flags::mem_none)"},
    {"atomic_load_explicit",
     "atomic_load_explicit(p, memory_order_relaxed), where p points to an "
     "atomic_int, atomic_uint, atomic_bool or atomic_float"},
    {"atomic_store_explicit",
     "atomic_store_explicit(p, value, memory_order_relaxed), where p points to "
     "an atomic_int, atomic_uint, atomic_bool or atomic_float"},
    {"atomic_exchange_explicit",
     "atomic_exchange_explicit(p, value, memory_order_relaxed), where p points "
     "to an atomic_int, atomic_uint, atomic_bool or atomic_float"},
    {"atomic_min_explicit",
     "atomic_min_explicit(p, value, memory_order_relaxed), where p points to "
     "an atomic_ulong"},
    {"atomic_max_explicit",
     "atomic_max_explicit(p, value, memory_order_relaxed), where p points to "
     "an atomic_ulong"},
    {"atomic_fetch_add_explicit",
     "atomic_fetch_add_explicit(p, value, memory_order_relaxed), where p "
     "points to an atomic_int or atomic_uint, or in device memory to an "
     "atomic_float"},
    {"atomic_fetch_sub_explicit",
     "atomic_fetch_sub_explicit(p, value, memory_order_relaxed), where p "
     "points to an atomic_int or atomic_uint, or in device memory to an "
     "atomic_float"},
    {"atomic_fetch_min_explicit",
     "atomic_fetch_min_explicit(p, value, memory_order_relaxed), where p "
     "points to an atomic_int or atomic_uint"},
    {"atomic_fetch_max_explicit",
     "atomic_fetch_max_explicit(p, value, memory_order_relaxed), where p "
     "points to an atomic_int or atomic_uint"},
    {"atomic_fetch_and_explicit",
     "atomic_fetch_and_explicit(p, value, memory_order_relaxed), where p "
     "points to an atomic_int or atomic_uint"},
    {"atomic_fetch_or_explicit",
     "atomic_fetch_or_explicit(p, value, memory_order_relaxed), where p points "
     "to an atomic_int or atomic_uint"},
    {"atomic_fetch_xor_explicit",
     "atomic_fetch_xor_explicit(p, value, memory_order_relaxed), where p "
     "points to an atomic_int or atomic_uint"},
    {"atomic_compare_exchange_weak_explicit",
     "atomic_compare_exchange_weak_explicit(p, &expected, value, "
     "memory_order_relaxed, memory_order_relaxed)"},
    {"simd_shuffle", "simd_shuffle(value, lane)"},
    {"simd_shuffle_down", "simd_shuffle_down(value, delta)"},
    {"simd_shuffle_up", "simd_shuffle_up(value, delta)"},
    {"simd_shuffle_xor", "simd_shuffle_xor(value, mask)"},
    {"simd_broadcast", "simd_broadcast(value, lane)"},
    {"simd_sum", "simd_sum(value) of a number or a vector"},
    {"simd_max", "simd_max(value) of a number or a vector"},
    {"simd_min", "simd_min(value) of a number or a vector"},
    {"simdgroup_load", "simdgroup_load(matrix, pointer, elements_per_row)"},
    {"simdgroup_store", "simdgroup_store(matrix, pointer, elements_per_row)"},
    {"simdgroup_multiply_accumulate",
     "simdgroup_multiply_accumulate(d, a, b, c): d = a * b + c"},
    {"sample",
     "t.sample(sampler, coordinates) with float coordinates; an array also "
     "takes its layer"},
    {"read", "t.read(position) with whole coordinates: uint2 for a texture2d"},
    {"write",
     "t.write(colour, position): a vector of four first, then whole "
     "coordinates"},
    {"gather", "t.gather(sampler, coordinates)"},
};

/* Functions of the library with overloads for several types. */
static const char overloaded[] =
    " abs absdiff acos acosh addsat asin asinh atan atan2 atanh ceil clamp clz "
    "copysign cos cosh cospi ctz "
    "distance divide dot exp exp10 exp2 extract_bits fabs fdim floor fma fmax "
    "fmax3 fmedian3 fmin fmin3 fmod "
    "fract frexp hadd ilogb insert_bits isfinite isinf isnan isnormal ldexp "
    "length log log10 log2 mad24 madhi "
    "madsat max max3 median3 min min3 mix modf mul24 mulhi nextafter normalize "
    "popcount pow powr reverse_bits "
    "rhadd rint rotate round rsqrt saturate select sign signbit sin sincos "
    "sinh sinpi smoothstep sqrt step "
    "subsat tan tanh tanpi trunc ";

static bool is_overloaded(const char *name, size_t n) {
  for (const char *s = overloaded; (s = strstr(s, " ")) && s[1]; s++)
    if (strncmp(s + 1, name, n) == 0 && s[1 + n] == ' ') return true;
  return false;
}

typedef struct Literal { /* a number among the arguments */
  const char *at;
  size_t length; /* without a suffix; 0: there is none */
  bool whole;
} Literal;

/* The argument s .. end-1 as a literal without suffix, or with a float
** suffix. */
static Literal literal_of(const char *s, const char *end) {
  s += strspn(s, " \t");
  if (*s == '-') s++;
  size_t digits = strspn(s, "0123456789"), all = strspn(s, "0123456789.");
  const char *rest = s + all + (all > digits && s[all] == 'f');
  rest += strspn(rest, " \t");
  return (Literal){s,
                   digits && rest == end
                       ? (all > digits && s[all - 1] == '.' ? all - 1 : all)
                       : 0,
                   all == digits};
}

/* The arguments after the '(' at 's': their number, and the first literal among
** them. */
static unsigned arguments(const char *s, Literal *found) {
  unsigned count = 1;
  int depth = 0;
  const char *begin = s + 1;
  for (; *s; s++) {
    if (strchr("([{", *s)) depth++;
    bool last = strchr(")]}", *s) && --depth == 0;
    if (!last && !(*s == ',' && depth == 1)) continue;
    if (found->length == 0) *found = literal_of(begin, s);
    if (last) return count;
    count++;
    begin = s + 1;
  }
  return 0;
}

/* "call to 'max' is ambiguous": which argument to change. */
static const char *help_ambiguous(mt_MslModule *m, const char *name, int n,
                                  const char *at) {
  Literal l = {NULL, 0, false};
  const char *call = strstr(at, mt_scrap_text(m, "%.*s(", n, name));
  unsigned count = call ? arguments(call + n, &l) : 0;
  int digits = (int)l.length;
  if (count == 1 && digits)
    return mt_scrap_text(
        m, "It takes float and half, no whole number: write %.*s(%.*s.0f).", n,
        name, digits, l.at);
  if (count == 1)
    return mt_scrap_text(
        m,
        "It takes float and half: convert the argument, as in %.*s(float(x)).",
        n, name);
  if (digits && l.whole)
    return mt_scrap_text(m,
                         "Its arguments have one type: write %.*s.0f beside a "
                         "float, %.*su beside a uint, %.*sh beside a half, "
                         "or convert the number, as in short(%.*s).",
                         digits, l.at, digits, l.at, digits, l.at, digits,
                         l.at);
  if (digits)
    return mt_scrap_text(m,
                         "Its arguments have one type: write %.*sh beside a "
                         "half, or convert the others, as in float(x).",
                         digits, l.at);
  return "Its arguments have one type, which is not bfloat: convert them, as "
         "in float(x). A function of your own that takes "
         "the same types as Metal's needs another name.";
}

const char *mt_hint_call(mt_MslModule *m, const char *message,
                         const char *at) {
  static const char *const begins[] = {
      "no matching function for call to '",
      "no matching member function for call to '", "call to '",
      "call to member function '"};
  for (size_t b = 0; b < sizeof begins / sizeof begins[0]; b++) {
    size_t n = strlen(begins[b]);
    if (strncmp(message, begins[b], n) != 0) continue;
    const char *name = message + n;
    size_t length = strcspn(name, "'");
    if (strcmp(name + length, "' is ambiguous") == 0 &&
        is_overloaded(name, length))
      return help_ambiguous(m, name, (int)length, at);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
      if (strlen(calls[i].name) == length &&
          strncmp(name, calls[i].name, length) == 0)
        return mt_scrap_text(m, "It is called as %s.", calls[i].form);
  }
  return NULL;
}
