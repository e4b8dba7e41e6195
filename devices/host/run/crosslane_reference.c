/*
** crosslane_reference.c - the cross-lane builtins in plain C, see
** crosslane_reference.h.
**
** The one idea: an operation is its scope (SIMD-group or quad), its kind and
** its type (compiler/ir/crosslane.h). A SIMD-group is 32 lanes wide, a quad 4;
** all other code is the same for both, one block of lanes after the other.
*/
#include "devices/host/run/crosslane_reference.h"

#include <math.h>
#include <string.h>

#include "base/kernel_types/half.h"
#include "devices/compiler/ir/ir.h"

typedef mt_CrosslaneOp Kind;
typedef mt_CrosslaneType Type;

#define OP(width, kind, type) \
  ((uint32_t)(width) << 16 | (uint32_t)(kind) << 8 | (uint32_t)(type))
#define OP_WIDTH(op) ((op) >> 16)
#define OP_KIND(op) ((Kind)((op) >> 8 & 0xff))
#define OP_TYPE(op) ((Type)((op) & 0xff))

uint32_t mt_lane_op(const char *name) {
  mt_Crosslane c;
  if (!mt_crosslane_find(name, &c) || c.op == MT_CROSSLANE_LANE)
    return MT_OP_NONE;
  if (c.op == MT_CROSSLANE_BARRIER) return MT_OP_BARRIER;
  return OP(c.scope == MT_SCOPE_QUAD ? 4 : MT_LANES, c.op, c.type);
}

/* ------------------------------------------------------------------- values */

static float as_float(uint64_t v) {
  uint32_t u = (uint32_t)v;
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

static uint64_t from_float(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

static uint64_t neutral(Kind k, Type t) {
  switch (k) {
    case MT_CROSSLANE_PRODUCT: return t == MT_LANES_F32 ? from_float(1.0f) : 1;
    case MT_CROSSLANE_SUM:
    case MT_CROSSLANE_OR:
    case MT_CROSSLANE_XOR: return 0;
    case MT_CROSSLANE_AND: return UINT64_MAX;
    case MT_CROSSLANE_MIN:
      return t == MT_LANES_F32   ? from_float(INFINITY)
             : t == MT_LANES_S32 ? (uint64_t)INT32_MAX
             : t == MT_LANES_S64 ? (uint64_t)INT64_MAX
                        : UINT64_MAX;
    default: /* MT_CROSSLANE_MAX */
      return t == MT_LANES_F32   ? from_float(-INFINITY)
             : t == MT_LANES_S32 ? (uint64_t)INT32_MIN
             : t == MT_LANES_S64 ? (uint64_t)INT64_MIN
                        : 0;
  }
}

static uint64_t combine_floats(Kind k, float a, float b) {
  switch (k) {
    case MT_CROSSLANE_SUM: return from_float(a + b);
    case MT_CROSSLANE_PRODUCT: return from_float(a * b);
    case MT_CROSSLANE_MIN: return from_float(fminf(a, b));
    default: return from_float(fmaxf(a, b));
  }
}

static bool is_less(Type t, uint64_t a, uint64_t b) {
  if (t == MT_LANES_S32) return (int32_t)a < (int32_t)b;
  if (t == MT_LANES_S64) return (int64_t)a < (int64_t)b;
  if (t == MT_LANES_U32) return (uint32_t)a < (uint32_t)b;
  return a < b;
}

static uint64_t combine(Kind k, Type t, uint64_t a, uint64_t b) {
  if (t == MT_LANES_F32) return combine_floats(k, as_float(a), as_float(b));
  switch (k) {
    case MT_CROSSLANE_SUM: return a + b;
    case MT_CROSSLANE_PRODUCT: return a * b;
    case MT_CROSSLANE_AND: return a & b;
    case MT_CROSSLANE_OR: return a | b;
    case MT_CROSSLANE_XOR: return a ^ b;
    case MT_CROSSLANE_MIN: return is_less(t, b, a) ? b : a;
    default: return is_less(t, a, b) ? b : a;
  }
}

/* --------------------------------------------------------------- operations */

/* A block of lanes: all of a SIMD-group, or one quad of it. */
typedef struct Block {
  Kind kind;
  Type type;
  unsigned width;
  uint32_t active; /* from bit 0 */
  uint64_t (*arg)[4];
  uint64_t *result;
} Block;

static bool is_on(const Block *b, unsigned lane) {
  return lane < b->width && (b->active >> lane & 1);
}

static unsigned first_on(const Block *b) {
  return (unsigned)__builtin_ctz(b->active);
}

/* Argument 'which' of lane 'from'; 0 if it is out of range. */
static uint64_t take(const Block *b, unsigned which, uint64_t from) {
  return from < b->width ? b->arg[from][which] : 0;
}

static uint64_t fill(const Block *b, unsigned lane, bool up) {
  uint32_t delta = (uint32_t)b->arg[lane][2],
           modulo = (uint32_t)b->arg[lane][3];
  if (modulo == 0 || modulo > b->width) modulo = b->width;
  if (delta > modulo) return 0;
  unsigned place = lane % modulo, start = lane - place;
  if (up)
    return place >= delta ? take(b, 0, lane - delta)
                          : take(b, 1, start + modulo + place - delta);
  return place + delta < modulo ? take(b, 0, lane + delta)
                                : take(b, 1, start + place + delta - modulo);
}

static uint64_t move(const Block *b, unsigned lane) {
  uint32_t n = (uint32_t)b->arg[lane][1];
  uint64_t own = b->arg[lane][0];
  switch (b->kind) {
    case MT_CROSSLANE_SHUFFLE:
    case MT_CROSSLANE_BROADCAST:
      return take(b, 0, n);
    case MT_CROSSLANE_SHUFFLE_XOR: return take(b, 0, lane ^ n);
    case MT_CROSSLANE_SHUFFLE_UP: return lane < n ? own : take(b, 0, lane - n);
    case MT_CROSSLANE_SHUFFLE_DOWN:
      return n >= b->width - lane ? own : take(b, 0, (uint64_t)lane + n);
    case MT_CROSSLANE_ROTATE_UP: return take(b, 0, (lane - n) % b->width);
    case MT_CROSSLANE_ROTATE_DOWN: return take(b, 0, (lane + n) % b->width);
    case MT_CROSSLANE_FILL_UP: return fill(b, lane, true);
    case MT_CROSSLANE_FILL_DOWN: return fill(b, lane, false);
    default: return 0;
  }
}

static uint32_t ballot(const Block *b) {
  uint32_t bits = 0;
  for (unsigned l = 0; l < b->width; l++)
    if (is_on(b, l) && (b->arg[l][0] & 1)) bits |= 1u << l;
  return bits;
}

static void gather(const Block *b, Kind k, uint64_t *v) {
  for (unsigned l = 0; l < b->width; l++)
    v[l] = is_on(b, l) ? b->arg[l][0] : neutral(k, b->type);
}

static uint64_t reduce(const Block *b) {
  uint64_t v[MT_LANES];
  gather(b, b->kind, v);
  for (unsigned step = b->width / 2; step; step /= 2)
    for (unsigned l = 0; l < step; l++)
      v[l] = combine(b->kind, b->type, v[l], v[l + step]);
  return v[0];
}

static void scan(const Block *b, bool inclusive) {
  Kind k = mt_crosslane_row(b->kind)->combines;
  uint64_t v[MT_LANES + 1], *sum = v + 1;
  v[0] = neutral(k, b->type);
  gather(b, k, sum);
  for (unsigned step = 1; step < b->width; step *= 2)
    for (unsigned l = b->width - 1; l >= step; l--)
      sum[l] = combine(k, b->type, sum[l - step], sum[l]);
  for (unsigned l = 0; l < b->width; l++)
    b->result[l] = inclusive ? sum[l] : v[l];
}

static uint64_t vote(const Block *b, unsigned lane) {
  switch (b->kind) {
    case MT_CROSSLANE_BALLOT: return ballot(b);
    case MT_CROSSLANE_ACTIVE: return b->active;
    default: return lane == first_on(b); /* MT_CROSSLANE_IS_FIRST */
  }
}

static void do_block(const Block *b) {
  mt_CrosslaneClass class = mt_crosslane_row(b->kind)->class;
  if (!b->active) return;
  if (class == MT_LANES_SCAN || class == MT_LANES_EXCLUSIVE) {
    scan(b, class == MT_LANES_SCAN);
    return;
  }
  uint64_t all = class == MT_LANES_REDUCE ? reduce(b) : 0;
  for (unsigned l = 0; l < b->width; l++) {
    if (!is_on(b, l)) continue;
    if (class == MT_LANES_MOVE)
      b->result[l] = move(b, l);
    else if (class == MT_LANES_FIRST)
      b->result[l] = take(b, 0, first_on(b));
    else
      b->result[l] = class == MT_LANES_VOTE ? vote(b, l) : all;
  }
}

/* ----------------------------------------------------------------- matrices */

unsigned mt_lane_row(unsigned l) { return (l / 4 & 4) + l / 2 % 4; }
unsigned mt_lane_column(unsigned l) { return (l / 4 & 2) * 2 + l % 2 * 2; }

static void unpack(uint64_t (*arg)[4], unsigned which, float m[8][8]) {
  for (unsigned l = 0; l < MT_LANES; l++) {
    m[mt_lane_row(l)][mt_lane_column(l)] = as_float(arg[l][which]);
    m[mt_lane_row(l)][mt_lane_column(l) + 1] = as_float(arg[l][which] >> 32);
  }
}

static void multiply_matrices(uint64_t (*arg)[4], uint64_t *result) {
  float a[8][8], b[8][8], c[8][8];
  unpack(arg, 0, a);
  unpack(arg, 1, b);
  unpack(arg, 2, c);
  for (unsigned l = 0; l < MT_LANES; l++) {
    unsigned r = mt_lane_row(l), at = mt_lane_column(l);
    float x = c[r][at], y = c[r][at + 1];
    for (unsigned k = 0; k < 8; k++) {
      x = fmaf(a[r][k], b[k][at], x);
      y = fmaf(a[r][k], b[k][at + 1], y);
    }
    result[l] = from_float(x) | from_float(y) << 32;
  }
}

static size_t element(Type t) { return t == MT_LANES_F32 ? 4 : 2; }

static float load_as(Type t, const char *p) {
  uint16_t h;
  float f;
  if (t == MT_LANES_F32) {
    memcpy(&f, p, sizeof f);
    return f;
  }
  memcpy(&h, p, sizeof h);
  return t == MT_LANES_F16 ? mt_half_to_float(h) : as_float((uint64_t)h << 16);
}

static void store_as(Type t, char *p, float f) {
  uint16_t h =
      t == MT_LANES_F16 ? mt_half_from_float(f) : mt_bfloat_from_float(f);
  if (t == MT_LANES_F32)
    memcpy(p, &f, sizeof f);
  else
    memcpy(p, &h, sizeof h);
}

bool mt_lane_is_hold(uint32_t op) { return OP_KIND(op) == MT_CROSSLANE_HOLD; }

bool mt_lane_is_local(uint32_t op) {
  return OP_KIND(op) == MT_CROSSLANE_MATRIX_LOAD ||
         OP_KIND(op) == MT_CROSSLANE_MATRIX_STORE;
}

uint64_t mt_lane_local(uint32_t op, unsigned lane, const uint64_t arg[4]) {
  bool storing = OP_KIND(op) == MT_CROSSLANE_MATRIX_STORE;
  const uint64_t *where = arg + storing; /* address, stride, transpose */
  Type t = OP_TYPE(op);
  uint64_t r = mt_lane_row(lane), c = mt_lane_column(lane), step = where[1];
  bool transpose = where[2] & 1;
  char *p = (char *)(uintptr_t)where[0];
  char *x = p + (transpose ? c * step + r : r * step + c) * element(t);
  char *y =
      p + (transpose ? (c + 1) * step + r : r * step + c + 1) * element(t);
  if (!storing)
    return from_float(load_as(t, x)) | from_float(load_as(t, y)) << 32;
  store_as(t, x, as_float(arg[0]));
  store_as(t, y, as_float(arg[0] >> 32));
  return 0;
}

void mt_crosslane_apply(uint32_t op, uint32_t active, uint64_t (*arg)[4],
                        uint64_t *result) {
  if (OP_KIND(op) == MT_CROSSLANE_MATRIX_MULTIPLY) {
    multiply_matrices(arg, result);
    return;
  }
  unsigned width = OP_WIDTH(op);
  for (unsigned at = 0; at < MT_LANES; at += width) {
    uint32_t mask = width == MT_LANES ? UINT32_MAX : (1u << width) - 1;
    Block b = {OP_KIND(op), OP_TYPE(op), width, active >> at & mask,
               arg + at, result + at};
    do_block(&b);
  }
}
