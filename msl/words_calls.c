/*
** words_calls.c - how the functions that people call most are called.
**
** "no matching function for call to 'clamp'" leaves a learner with the question
** what would match; Clang's own answer is a list of overloads in our headers. So
** the names have one line each here, with the parts in the words of the manual.
*/
#include <string.h>

#include "msl/module.h"

static const struct {
  const char *name, *form;
} calls[] = {
    {"clamp", "clamp(x, low, high): three values of one type, or a vector and two scalars"},
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
    {"sincos", "sincos(x, cosine), where cosine is a variable that takes the result"},
    {"modf", "modf(x, whole), where whole is a variable that takes the result"},
    {"frexp", "frexp(x, exponent), where exponent is an int variable that takes the result"},
    {"ldexp", "ldexp(x, n), where n is an int"},
    {"threadgroup_barrier", "threadgroup_barrier(mem_flags::mem_threadgroup), or mem_device for buffers"},
    {"simdgroup_barrier", "simdgroup_barrier(mem_flags::mem_none)"},
    {"atomic_load_explicit", "atomic_load_explicit(p, memory_order_relaxed), where p points to an atomic_int, atomic_uint or atomic_float"},
    {"atomic_store_explicit", "atomic_store_explicit(p, value, memory_order_relaxed), where p points to an atomic_int, atomic_uint or atomic_float"},
    {"atomic_exchange_explicit", "atomic_exchange_explicit(p, value, memory_order_relaxed), where p points to an atomic_int, atomic_uint or atomic_float"},
    {"atomic_fetch_add_explicit", "atomic_fetch_add_explicit(p, value, memory_order_relaxed), where p points to an atomic: declare device atomic_uint *p"},
    {"atomic_fetch_sub_explicit", "atomic_fetch_sub_explicit(p, value, memory_order_relaxed), where p points to an atomic: declare device atomic_uint *p"},
    {"atomic_fetch_min_explicit", "atomic_fetch_min_explicit(p, value, memory_order_relaxed), where p points to an atomic_int or atomic_uint"},
    {"atomic_fetch_max_explicit", "atomic_fetch_max_explicit(p, value, memory_order_relaxed), where p points to an atomic_int or atomic_uint"},
    {"atomic_fetch_and_explicit", "atomic_fetch_and_explicit(p, value, memory_order_relaxed), where p points to an atomic_int or atomic_uint"},
    {"atomic_fetch_or_explicit", "atomic_fetch_or_explicit(p, value, memory_order_relaxed), where p points to an atomic_int or atomic_uint"},
    {"atomic_fetch_xor_explicit", "atomic_fetch_xor_explicit(p, value, memory_order_relaxed), where p points to an atomic_int or atomic_uint"},
    {"atomic_compare_exchange_weak_explicit",
     "atomic_compare_exchange_weak_explicit(p, &expected, value, memory_order_relaxed, memory_order_relaxed)"},
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
    {"simdgroup_multiply_accumulate", "simdgroup_multiply_accumulate(d, a, b, c): d = a * b + c"},
    {"sample", "t.sample(sampler, coordinates) with float coordinates; an array also takes its layer"},
    {"read", "t.read(position) with whole coordinates: uint2 for a texture2d"},
    {"write", "t.write(colour, position): a vector of four first, then whole coordinates"},
    {"gather", "t.gather(sampler, coordinates)"},
};

const char *mt_words_call(mt_MslModule *m, const char *message) {
  static const char *const begins[] = {"no matching function for call to '", "no matching member function for call to '",
                                       "call to '", "call to member function '"};
  for (size_t b = 0; b < sizeof begins / sizeof begins[0]; b++) {
    size_t n = strlen(begins[b]);
    if (strncmp(message, begins[b], n) != 0) continue;
    size_t length = strcspn(message + n, "'");
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
      if (strlen(calls[i].name) == length && strncmp(message + n, calls[i].name, length) == 0)
        return mt_scrap_text(m, "It is called as %s.", calls[i].form);
  }
  return NULL;
}
