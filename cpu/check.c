/*
** check.c - do the arguments of a call fit its reference?
**
** The one idea: shapes are patterns with letters ("n k"). Inputs bind the
** letters, left to right; a letter met again must have the same value, and if
** it has not, the message names both places. Outputs are compared with what
** the letters then say, or planned from it.
*/
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cpu/inside.h"

/* Where a letter, or the dimensions of "*", got their value. */
typedef struct Binding {
  const mt_CpuArg *arg;
  const mt_CpuArray *array;
  unsigned at; /* dimension */
} Binding;

typedef struct Check {
  mt_CpuCall *call;
  mt_Error *err;
  Binding letter[26];
  Binding star;
  unsigned star_dims;
  size_t star_shape[MT_CPU_DIMS];
  const mt_CpuArg *typed; /* the argument that decided T */
} Check;

mt_Status mt_cpu_error(const mt_CpuCall *call, mt_Error *err, mt_Status status,
                       const char *fmt, ...) {
  char line[MT_ERROR_MAX];
  va_list args;
  va_start(args, fmt);
  vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  return mt_error(err, status, "cpu.%s: %s", call->ref->name, line);
}

size_t mt_cpu_count(const mt_CpuArray *array) {
  size_t n = 1;
  for (unsigned i = 0; i < array->dims; i++) n *= array->shape[i];
  return n;
}

/* ------------------------------------------------------------ said in words */

#define WORDS 160

static const char *shape_words(const mt_CpuArray *a, char *out) {
  size_t n = 0;
  if (a->dims == 1) {
    snprintf(out, WORDS, "%zu long", a->shape[0]);
    return out;
  }
  for (unsigned i = 0; i < a->dims && n < WORDS; i++)
    n += (size_t)snprintf(out + n, WORDS - n, "%s%zu", i ? "×" : "",
                          a->shape[i]);
  return out;
}

/* "n k" as "n×k" */
static const char *pattern_words(const char *pattern, char *out) {
  size_t n = 0;
  for (; *pattern; pattern++)
    n += (size_t)(*pattern == ' ' ? snprintf(out + n, WORDS - n, "×")
                                  : snprintf(out + n, WORDS - n, "%c",
                                             *pattern));
  return out;
}

/* "columns of a", "the length of x" */
static const char *dim_words(const Binding *b, char *out) {
  static const char *const two[] = {"rows", "columns"};
  if (b->array->dims == 1)
    snprintf(out, WORDS, "the length of %s", b->arg->name);
  else if (b->array->dims == 2)
    snprintf(out, WORDS, "%s of %s", two[b->at], b->arg->name);
  else
    snprintf(out, WORDS, "dimension %u of %s", b->at + 1, b->arg->name);
  return out;
}

static const char *types_words(unsigned set, char *out) {
  static const mt_Scalar order[] = {MT_FLOAT, MT_INT,  MT_UINT,
                                    MT_LONG,  MT_ULONG, MT_UCHAR};
  size_t n = 0, left = (size_t)__builtin_popcount(set), total = left;
  out[0] = '\0';
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    if (!(set & MT_CPU_SET(order[i]))) continue;
    const char *between = left == total ? "" : left == 1 ? " or " : ", ";
    n += (size_t)snprintf(out + n, WORDS - n, "%s%s", between,
                          mt_scalar_name(order[i]));
    left--;
  }
  return out;
}

/* ------------------------------------------------------------------- types */

static unsigned wide(mt_Scalar type) {
  if (type == MT_INT) return MT_LONG;
  if (type == MT_UINT) return MT_ULONG;
  return type;
}

static unsigned allowed_types(const mt_CpuCall *call, const mt_CpuArg *arg) {
  if (arg->types == MT_CPU_T_WIDE)
    return MT_CPU_SET(call->type) | MT_CPU_SET(wide(call->type));
  if (arg->types == MT_CPU_T)
    return call->type == MT_VOID ? call->ref->types : MT_CPU_SET(call->type);
  return arg->types;
}

static mt_Status check_type(Check *c, const mt_CpuArg *arg,
                            const mt_CpuArray *array) {
  char words[WORDS];
  unsigned set = allowed_types(c->call, arg);
  if (!(set & MT_CPU_SET(array->type))) {
    bool known = c->typed && (c->call->ref->types & MT_CPU_SET(array->type));
    if (known && arg->role == MT_CPU_IN)
      return mt_cpu_error(c->call, c->err, MT_BADARG,
                          "%s is %s and %s is %s: they must be of one type",
                          c->typed->name, mt_scalar_name(c->call->type),
                          arg->name, mt_scalar_name(array->type));
    return mt_cpu_error(c->call, c->err, MT_BADARG,
                        "%s is a buffer of %s, expected %s", arg->name,
                        mt_scalar_name(array->type), types_words(set, words));
  }
  if (arg->types == MT_CPU_T && c->call->type == MT_VOID) {
    c->call->type = array->type;
    c->typed = arg;
  }
  return MT_OK;
}

/* ------------------------------------------------------------------ shapes */

/* Dimensions in a pattern without its star; the first of them in '*tail'. */
static unsigned tail_dims(const char *pattern, const char **tail, bool *star) {
  *star = pattern[0] == '*';
  if (*star) pattern += pattern[1] == ' ' ? 2 : 1;
  *tail = pattern;
  unsigned n = 0;
  for (; *pattern; pattern++) n += *pattern != ' ';
  return n;
}

static mt_Status wrong_dims(Check *c, const mt_CpuArg *arg,
                            const mt_CpuArray *array, unsigned want) {
  static const char *const kind[] = {"", "one dimension", "a matrix"};
  char is[WORDS], pattern[WORDS];
  return mt_cpu_error(c->call, c->err, MT_BADARG, "%s is %s, expected %s, %s",
                      arg->name, shape_words(array, is),
                      want < 3 ? kind[want] : "more dimensions",
                      pattern_words(arg->shape, pattern));
}

static mt_Status differ(Check *c, const Binding *a, const Binding *b) {
  char a_is[WORDS], b_is[WORDS], a_dim[WORDS], b_dim[WORDS];
  return mt_cpu_error(c->call, c->err, MT_BADARG,
                      "%s is %s and %s is %s: %s (%zu) must equal %s (%zu)",
                      a->arg->name, shape_words(a->array, a_is), b->arg->name,
                      shape_words(b->array, b_is), dim_words(a, a_dim),
                      a->array->shape[a->at], dim_words(b, b_dim),
                      b->array->shape[b->at]);
}

static mt_Status bind_star(Check *c, const Binding *b, unsigned dims) {
  size_t bytes = dims * sizeof(size_t);
  if (c->star.arg == NULL) {
    c->star = *b;
    c->star_dims = dims;
    memcpy(c->star_shape, b->array->shape, bytes);
    c->call->count = 1;
    for (unsigned i = 0; i < dims; i++) c->call->count *= b->array->shape[i];
    return MT_OK;
  }
  if (dims == c->star_dims &&
      memcmp(c->star_shape, b->array->shape, bytes) == 0)
    return MT_OK;
  char a_is[WORDS], b_is[WORDS];
  return mt_cpu_error(c->call, c->err, MT_BADARG,
                      "%s is %s and %s is %s: they must have the same shape",
                      c->star.arg->name, shape_words(c->star.array, a_is),
                      b->arg->name, shape_words(b->array, b_is));
}

static mt_Status bind_dim(Check *c, char name, const Binding *b) {
  size_t value = b->array->shape[b->at];
  if (name >= '0' && name <= '9') {
    char is[WORDS], dim[WORDS];
    if (value == (size_t)(name - '0')) return MT_OK;
    return mt_cpu_error(c->call, c->err, MT_BADARG, "%s is %s: %s must be %c",
                        b->arg->name, shape_words(b->array, is),
                        dim_words(b, dim), name);
  }
  Binding *first = &c->letter[name - 'a'];
  if (first->arg == NULL) {
    *first = *b;
    MT_DIM(c->call, name) = value;
    return MT_OK;
  }
  return MT_DIM(c->call, name) == value ? MT_OK : differ(c, first, b);
}

static mt_Status bind_input(Check *c, const mt_CpuArg *arg,
                            const mt_CpuArray *array) {
  const char *tail;
  bool star;
  unsigned named = tail_dims(arg->shape, &tail, &star);
  if (star ? array->dims < named : array->dims != named)
    return wrong_dims(c, arg, array, named);
  Binding b = {arg, array, 0};
  unsigned leading = array->dims - named;
  mt_Status status = star ? bind_star(c, &b, leading) : MT_OK;
  for (b.at = leading; *tail && status == MT_OK; tail++) {
    if (*tail == ' ') continue;
    status = bind_dim(c, *tail, &b);
    b.at++;
  }
  return status;
}

/* The shape that the letters give to an output. */
static mt_Status expected_shape(Check *c, const mt_CpuArg *arg,
                                mt_CpuArray *out) {
  const char *tail;
  bool star;
  size_t bytes = 4, *shape = out->shape;
  tail_dims(arg->shape, &tail, &star);
  out->dims = 0;
  for (unsigned i = 0; star && i < c->star_dims; i++)
    shape[out->dims++] = c->star_shape[i];
  for (; *tail; tail++) {
    if (*tail == ' ') continue;
    bool digit = *tail >= '0' && *tail <= '9';
    shape[out->dims++] = digit ? (size_t)(*tail - '0') : MT_DIM(c->call, *tail);
  }
  for (unsigned i = 0; i < out->dims; i++)
    if (__builtin_mul_overflow(bytes, shape[i], &bytes))
      return mt_cpu_error(c->call, c->err, MT_BADARG,
                          "%s would be larger than any memory", arg->name);
  return MT_OK;
}

static mt_Status check_output(Check *c, const mt_CpuArg *arg,
                              mt_CpuArray *array) {
  char is[WORDS], must[WORDS];
  mt_CpuArray want = {.dims = 0};
  mt_Status status = expected_shape(c, arg, &want);
  if (status != MT_OK) return status;
  if (array->type == MT_VOID) {
    *array = want;
    unsigned set = allowed_types(c->call, arg);
    array->type = arg->types == MT_CPU_T_WIDE
                      ? (mt_Scalar)wide(c->call->type)
                      : (mt_Scalar)__builtin_ctz(set);
    return MT_OK;
  }
  status = check_type(c, arg, array);
  if (status != MT_OK) return status;
  if (array->dims == want.dims &&
      memcmp(array->shape, want.shape, want.dims * sizeof(size_t)) == 0)
    return MT_OK;
  return mt_cpu_error(c->call, c->err, MT_BADARG, "%s is %s, expected %s",
                      arg->name, shape_words(array, is),
                      shape_words(&want, must));
}

/* ----------------------------------------------------------------- overlap */

static bool overlap(const mt_CpuArray *a, const mt_CpuArray *b) {
  uintptr_t a0 = (uintptr_t)a->data, b0 = (uintptr_t)b->data;
  size_t a_size = mt_cpu_count(a) * mt_scalar_size(a->type);
  size_t b_size = mt_cpu_count(b) * mt_scalar_size(b->type);
  if (a->data == NULL || b->data == NULL) return false;
  return a0 < b0 + b_size && b0 < a0 + a_size;
}

static bool same_memory(const mt_CpuArray *a, const mt_CpuArray *b) {
  return a->data == b->data && mt_cpu_count(a) == mt_cpu_count(b);
}

static mt_Status check_overlap(const mt_CpuCall *call, mt_Error *err) {
  const mt_CpuArg *args = call->ref->args;
  for (unsigned o = 0; args[o].role; o++) {
    if (args[o].role != MT_CPU_OUT) continue;
    for (unsigned i = 0; args[i].role; i++) {
      const mt_CpuArray *out = &call->array[o], *other = &call->array[i];
      if (i == o || args[i].role == MT_CPU_NUMBER || !overlap(out, other))
        continue;
      if (args[i].role == MT_CPU_IN && call->ref->in_place &&
          same_memory(out, other))
        continue;
      return mt_cpu_error(call, err, MT_BADARG,
                          "%s and %s share memory; give %s a buffer of its own",
                          args[i].name, args[o].name, args[o].name);
    }
  }
  return MT_OK;
}

/* --------------------------------------------------------------- the check */

static mt_Status check_options(const mt_CpuCall *call, mt_Error *err) {
  const mt_CpuOption *o = call->ref->options;
  for (unsigned i = 0; o[i].name; i++) {
    double v = call->option[i];
    if (o[i].kind == MT_CPU_FLAG) continue;
    if (!isfinite(v))
      return mt_cpu_error(call, err, MT_BADARG, "%s must be a finite number",
                          o[i].name);
    if (o[i].kind == MT_CPU_COUNT &&
        (v != floor(v) || v < o[i].least || v > 0x1p40))
      return mt_cpu_error(call, err, MT_BADARG,
                          "%s must be a whole number from %.0f on, got %.14g",
                          o[i].name, o[i].least, v);
  }
  return MT_OK;
}

static mt_Status check_inputs(Check *c) {
  const mt_CpuArg *args = c->call->ref->args;
  mt_Status status = MT_OK;
  for (unsigned i = 0; args[i].role && status == MT_OK; i++) {
    if (args[i].role != MT_CPU_IN) continue;
    if (c->call->array[i].type == MT_VOID)
      return mt_cpu_error(c->call, c->err, MT_BADARG, "%s is missing",
                          args[i].name);
    status = check_type(c, &args[i], &c->call->array[i]);
    if (status == MT_OK) status = bind_input(c, &args[i], &c->call->array[i]);
  }
  if (c->call->type == MT_VOID) c->call->type = MT_FLOAT;
  return status;
}

static mt_Status check_outputs(Check *c) {
  const mt_CpuArg *args = c->call->ref->args;
  mt_Status status = MT_OK;
  for (unsigned i = 0; args[i].role && status == MT_OK; i++)
    if (args[i].role == MT_CPU_OUT)
      status = check_output(c, &args[i], &c->call->array[i]);
  return status;
}

/* Vectors may be of any length, but the sides of a matrix are ints to it. */
static mt_Status check_vendor(const mt_CpuCall *call, mt_Error *err) {
  if (call->type != MT_FLOAT)
    return mt_cpu_error(call, err, MT_BADARG,
                        "the vendor's library takes float alone, not %s",
                        mt_scalar_name(call->type));
  for (unsigned i = 0; i < 26; i++)
    if (call->dim[i] > INT_MAX)
      return mt_cpu_error(call, err, MT_BADARG,
                          "the vendor's library takes at most %d rows or "
                          "columns", INT_MAX);
  return MT_OK;
}

mt_Status mt_cpu_check(mt_CpuCall *call, mt_Error *err) {
  Check c = {.call = call, .err = err};
  call->type = MT_VOID;
  mt_Status status = check_options(call, err);
  if (status == MT_OK) status = check_inputs(&c);
  if (status == MT_OK && call->ref->derive)
    status = call->ref->derive(call, err);
  if (status == MT_OK) status = check_outputs(&c);
  if (status == MT_OK) status = check_overlap(call, err);
  if (status == MT_OK && call->way == MT_CPU_VENDOR)
    status = check_vendor(call, err);
  return status;
}

void mt_cpu_call_init(mt_CpuCall *call, const mt_CpuRef *ref) {
  memset(call, 0, sizeof *call);
  call->ref = ref;
  call->way = MT_CPU_ALL_CORES;
  for (unsigned i = 0; ref->options[i].name; i++)
    call->option[i] = ref->options[i].standard;
}
