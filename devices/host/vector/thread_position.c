/*
** thread_position.c - builtin positions, and which lanes have a thread at all.
**
** The one idea: threads are numbered through the group, SIMD-group g has the
** numbers 32g … 32g+31, and with the group's size known, every position is
** (number / D) % M. Evaluating that for all numbers of a group (1024 at most)
** shows whether each SIMD-group has the same offsets between lanes (affine) or
** each lane the same value (uniform).
*/
#include <stddef.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"

#include "devices/host/vector/vector.h"

/* How an attribute follows from the thread's number. */
typedef struct Pattern {
  uint32_t divide, modulo; /* modulo 0: none */
} Pattern;

static uint32_t total(const mt_Spmd *s) {
  const uint32_t *n = s->geometry->size;
  return n[0] * n[1] * n[2];
}

static Pattern position(const mt_Spmd *s, unsigned d) {
  const uint32_t *n = s->geometry->size;
  Pattern p = {1, 0};
  for (unsigned i = 0; i < d; i++) p.divide *= n[i];
  uint32_t above = 1;
  for (unsigned i = d + 1; i < 3; i++) above *= n[i];
  if (above > 1) p.modulo = n[d];
  if (n[d] == 1) p.modulo = 1;
  return p;
}

static uint32_t apply(Pattern p, uint32_t number) {
  number /= p.divide;
  return p.modulo ? number % p.modulo : number;
}

static uint64_t low_bit(uint64_t x) { return x ? x & -x : 1ull << 32; }

/* The shape of a pattern over all SIMD-groups of the group. */
static void pattern_shape(const mt_Spmd *s, Pattern p, mt_Shape *out) {
  uint32_t n = total(s);
  bool zero = true;
  memset(out, 0, sizeof *out);
  out->kind = MT_SHAPE_UNIFORM;
  out->align = 1ull << 32;
  for (uint32_t l = 0; l < (uint32_t)s->lanes; l++) {
    out->offset[l] = (int64_t)apply(p, l) - apply(p, 0);
    if (out->offset[l] && l < n) out->kind = MT_SHAPE_AFFINE;
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t first = apply(p, i - i % (uint32_t)s->lanes);
    if (first) zero = false;
    if (low_bit(first) < out->align) out->align = low_bit(first);
    if ((int64_t)apply(p, i) - first != out->offset[i % (uint32_t)s->lanes])
      out->kind = MT_SHAPE_VARYING;
  }
  if (out->kind == MT_SHAPE_UNIFORM) memset(out->offset, 0, sizeof out->offset);
  out->constant = out->kind == MT_SHAPE_AFFINE && zero;
}

/* ------------------------------------------------------------- attributes */

typedef enum Source {
  FROM_PATTERN, /* the thread's number */
  FROM_GRID,    /* the same, plus the group's origin in the grid */
  FROM_FIELD,   /* a triple in mt_Group */
  FROM_SG,      /* the SIMD-group's number */
  FROM_COUNT,   /* threads of the group / 'scale', rounded up */
  FROM_SIZE,    /* launched threads of the group / 'scale', rounded up */
  FROM_CONST    /* 'scale' */
} Source;

typedef struct Attribute {
  const char *name;
  Source source;
  size_t field;
  uint32_t scale;
  bool numbered; /* depends on the thread numbering of a cut group */
} Attribute;

static const Attribute ATTRIBUTES[] = {
    {"thread_position_in_grid", FROM_GRID, 0, 0, false},
    {"thread_position_in_threadgroup", FROM_PATTERN, 0, 0, false},
    {"thread_index_in_threadgroup", FROM_PATTERN, 0, 1, true},
    {"thread_index_in_simdgroup", FROM_PATTERN, 0, 32, true},
    {"thread_index_in_quadgroup", FROM_PATTERN, 0, 4, true},
    {"quadgroup_index_in_threadgroup", FROM_PATTERN, 0, 2, true},
    {"simdgroup_index_in_threadgroup", FROM_SG, 0, 0, true},
    {"threadgroup_position_in_grid", FROM_FIELD, offsetof(mt_Group, position),
     0, false},
    {"threadgroups_per_grid", FROM_FIELD, offsetof(mt_Group, groups), 0, false},
    {"threads_per_grid", FROM_FIELD, offsetof(mt_Group, grid), 0, false},
    {"grid_size", FROM_FIELD, offsetof(mt_Group, grid), 0, false},
    {"threads_per_threadgroup", FROM_FIELD, offsetof(mt_Group, actual), 0,
     false},
    {"dispatch_threads_per_threadgroup", FROM_FIELD, offsetof(mt_Group, size),
     0, false},
    {"simdgroups_per_threadgroup", FROM_COUNT, 0, 32, true},
    {"quadgroups_per_threadgroup", FROM_COUNT, 0, 4, true},
    {"dispatch_simdgroups_per_threadgroup", FROM_SIZE, 0, 32, false},
    {"dispatch_quadgroups_per_threadgroup", FROM_SIZE, 0, 4, false},
    {"threads_per_simdgroup", FROM_CONST, 0, 32, false},
    {"thread_execution_width", FROM_CONST, 0, 32, false},
    {"grid_origin", FROM_CONST, 0, 0, false},
    {NULL, FROM_CONST, 0, 0, false}};

static const mt_Param *param_of(mt_Spmd *s, LLVMValueRef arg) {
  return mt_parameter(s->kernel, s->old, arg);
}

static const Attribute *attribute_of(mt_Spmd *s, LLVMValueRef arg) {
  const mt_Param *p = param_of(s, arg);
  const Attribute *a = ATTRIBUTES;
  while (a->name && strcmp(a->name, p->builtin) != 0) a++;
  if (!a->name) mt_unsupported(s, "the attribute [[%s]]", p->builtin);
  return a;
}

static Pattern pattern_of(mt_Spmd *s, const Attribute *a, unsigned part) {
  Pattern p = {1, 0};
  if (a->source == FROM_GRID || a->scale == 0) return position(s, part);
  if (a->scale == 32) p.modulo = 32;
  if (a->scale == 4) p.modulo = 4;
  if (a->scale == 2) p.divide = 4;
  return p;
}

static bool numbered_call(LLVMValueRef i) {
  const char *name = mt_callee(i);
  mt_Crosslane c;
  return mt_is_probe(name) || (mt_crosslane_find(name, &c) &&
                               c.row->class != MT_LANES_BARRIER);
}

/* Does the kernel depend on the numbers that threads of a cut group have? */
static bool numbers_matter(mt_Spmd *s) {
  for (unsigned i = 0; i < s->kernel->param_count; i++)
    if (s->kernel->params[i].kind == MT_PARAM_BUILTIN &&
        LLVMGetFirstUse(LLVMGetParam(s->old, i)) &&
        attribute_of(s, LLVMGetParam(s->old, i))->numbered)
      return true;
  MT_EACH_INSTRUCTION(i, s->old)
    if (numbered_call(i)) return true;
  return false;
}

mt_GridMode mt_geometry_mode(mt_Spmd *s) {
  const mt_Geometry *g = s->geometry;
  int top = g->size[2] > 1 ? 2 : g->size[1] > 1 ? 1 : 0;
  bool cut = false, below = false;
  for (int d = 0; d < 3; d++)
    if (g->ragged[d] && g->size[d] > 1) {
      cut = true;
      if (d != top) below = true;
    }
  if (!cut) return MT_GRID_FULL;
  if (!below) return MT_GRID_COUNT;
  return numbers_matter(s) ? MT_GRID_SHAPED : MT_GRID_MASKED;
}

/* ------------------------------------------------------------------ shapes */

bool mt_geometry_shape(mt_Spmd *s, LLVMValueRef arg, unsigned part,
                       mt_Shape *out) {
  memset(out, 0, sizeof *out);
  out->kind = MT_SHAPE_UNIFORM;
  out->align = 1;
  if (param_of(s, arg)->kind != MT_PARAM_BUILTIN) return true;
  const Attribute *a = attribute_of(s, arg);
  if (a->source != FROM_PATTERN && a->source != FROM_GRID) return true;
  pattern_shape(s, pattern_of(s, a, part), out);
  bool place = a->source == FROM_GRID || a->scale == 0;
  if (place && s->mode == MT_GRID_SHAPED) out->kind = MT_SHAPE_VARYING;
  if (a->source == FROM_GRID) {
    uint64_t step = low_bit(s->geometry->size[part]);
    if (step < out->align) out->align = step;
    if (s->geometry->shifted && part == 0) out->align = 1;
    out->constant = false;
  }
  if (out->kind == MT_SHAPE_VARYING) out->constant = false, out->terms = 0;
  return true;
}

/* ------------------------------------------------------------------ values */

void mt_mark_invariant(mt_Spmd *s, LLVMValueRef load) {
  unsigned kind = LLVMGetMDKindIDInContext(s->context, "invariant.load", 14);
  LLVMMetadataRef none = LLVMMDNodeInContext2(s->context, NULL, 0);
  LLVMSetMetadata(load, kind, LLVMMetadataAsValue(s->context, none));
}

static LLVMValueRef invariant(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at) {
  LLVMValueRef x = LLVMBuildLoad2(s->b, t, at, "");
  mt_mark_invariant(s, x);
  return x;
}

static LLVMValueRef byte_at(mt_Spmd *s, LLVMValueRef p, size_t offset) {
  LLVMValueRef at = mt_const_i64(s, (int64_t)offset);
  if (!offset) return p;
  return LLVMBuildGEP2(s->b, s->i8, p, &at, 1, "");
}

LLVMValueRef mt_group_field(mt_Spmd *s, size_t offset, LLVMTypeRef type) {
  return invariant(s, type, byte_at(s, s->group, offset));
}

static LLVMValueRef field3(mt_Spmd *s, size_t offset, unsigned d) {
  return mt_group_field(s, offset + 4 * d, s->i32);
}

/* Actual threads of this group, as an i32. */
static LLVMValueRef count(mt_Spmd *s) {
  if (s->mode == MT_GRID_FULL) return mt_const_i32(s, total(s));
  LLVMValueRef n = field3(s, offsetof(mt_Group, actual), 0);
  for (unsigned d = 1; d < 3; d++)
    n = LLVMBuildMul(s->b, n, field3(s, offsetof(mt_Group, actual), d), "");
  return n;
}

static LLVMValueRef divide_up(mt_Spmd *s, LLVMValueRef n, uint32_t by) {
  n = LLVMBuildAdd(s->b, n, mt_const_i32(s, by - 1), "");
  return LLVMBuildUDiv(s->b, n, mt_const_i32(s, by), "");
}

LLVMValueRef mt_geometry_simdgroups(mt_Spmd *s, LLVMValueRef group) {
  s->group = group;
  if (s->mode == MT_GRID_MASKED)
    return mt_const_i32(
        s, (total(s) + (uint32_t)s->lanes - 1) / (uint32_t)s->lanes);
  return divide_up(s, count(s), (uint32_t)s->lanes);
}

/* (number / divide) % modulo, of a scalar or a vector. */
static LLVMValueRef compute(mt_Spmd *s, Pattern p, LLVMValueRef n,
                            bool vector) {
  LLVMValueRef d = mt_const_i32(s, p.divide), m = mt_const_i32(s, p.modulo);
  if (vector) d = mt_splat(s, d), m = mt_splat(s, m);
  if (p.divide > 1) n = LLVMBuildUDiv(s->b, n, d, "");
  return p.modulo ? LLVMBuildURem(s->b, n, m, "") : n;
}

/* The number of lane 0; 'sg' is that itself along rows of the grid. */
static LLVMValueRef first_number(mt_Spmd *s) {
  if (s->by_rows) return s->sg;
  return LLVMBuildMul(s->b, s->sg, mt_const_i32(s, s->lanes), "");
}

/* What lane 0 has of a pattern: of whole rows it is a multiple of 'sg'. */
static LLVMValueRef pattern_base(mt_Spmd *s, Pattern p) {
  uint32_t lanes = (uint32_t)s->lanes, rows = lanes / p.divide;
  if (s->by_rows || lanes % p.divide)
    return compute(s, p, first_number(s), false);
  if (p.modulo && rows % p.modulo == 0) return mt_const_i32(s, 0);
  LLVMValueRef n = LLVMBuildMul(s->b, s->sg, mt_const_i32(s, rows), "");
  return compute(s, (Pattern){1, p.modulo}, n, false);
}

static LLVMValueRef to_type(mt_Spmd *s, LLVMValueRef x, LLVMTypeRef t) {
  return LLVMBuildIntCast2(s->b, x, t, 0, "");
}

static LLVMValueRef argument(mt_Spmd *s, LLVMValueRef arg) {
  LLVMValueRef args = mt_group_field(s, offsetof(mt_Group, args), s->ptr);
  unsigned number = (unsigned)(param_of(s, arg) - s->kernel->params);
  return invariant(s, LLVMTypeOf(arg), byte_at(s, args, 8 * number));
}

static LLVMValueRef group_origin(mt_Spmd *s, unsigned d) {
  LLVMValueRef g = field3(s, offsetof(mt_Group, position), d);
  return LLVMBuildMul(s->b, g, mt_const_i32(s, s->geometry->size[d]), "");
}

static LLVMValueRef base_of(mt_Spmd *s, const Attribute *a, unsigned part) {
  LLVMValueRef x;
  switch (a->source) {
    case FROM_PATTERN:
      return pattern_base(s, pattern_of(s, a, part));
    case FROM_GRID:
      x = pattern_base(s, pattern_of(s, a, part));
      if (LLVMIsConstant(x)) return group_origin(s, part);
      return LLVMBuildAdd(s->b, group_origin(s, part), x, "");
    case FROM_FIELD: return field3(s, a->field, part);
    case FROM_SG: return s->sg;
    case FROM_COUNT: return divide_up(s, count(s), a->scale);
    case FROM_SIZE: return divide_up(s, mt_const_i32(s, total(s)), a->scale);
    default: return mt_const_i32(s, a->scale);
  }
}

LLVMValueRef mt_geometry_base(mt_Spmd *s, LLVMValueRef arg, unsigned part) {
  if (param_of(s, arg)->kind != MT_PARAM_BUILTIN) return argument(s, arg);
  LLVMTypeRef t = mt_type_part(LLVMTypeOf(arg), part);
  return to_type(s, base_of(s, attribute_of(s, arg), part), t);
}

static LLVMValueRef numbers(mt_Spmd *s) {
  return LLVMBuildAdd(s->b, mt_splat(s, first_number(s)), s->lane, "");
}

/* A position in a group whose actual size is known at run time only. */
static LLVMValueRef shaped_position(mt_Spmd *s, unsigned d) {
  LLVMValueRef n = numbers(s);
  for (unsigned i = 0; i <= d && i < 2; i++) {
    LLVMValueRef side =
        mt_splat(s, field3(s, offsetof(mt_Group, actual), i));
    if (i == d) return LLVMBuildURem(s->b, n, side, "");
    n = LLVMBuildUDiv(s->b, n, side, "");
  }
  return n;
}

static LLVMValueRef place(mt_Spmd *s, unsigned d) {
  if (s->mode == MT_GRID_SHAPED) return shaped_position(s, d);
  return compute(s, position(s, d), numbers(s), true);
}

LLVMValueRef mt_geometry_vector(mt_Spmd *s, LLVMValueRef arg, unsigned part) {
  const Attribute *a = attribute_of(s, arg);
  LLVMValueRef x = a->source == FROM_GRID || a->scale == 0
                       ? place(s, part)
                       : compute(s, pattern_of(s, a, part), numbers(s), true);
  if (a->source == FROM_GRID)
    x = LLVMBuildAdd(s->b, x, mt_splat(s, group_origin(s, part)), "");
  LLVMTypeRef t = mt_type_part(LLVMTypeOf(arg), part);
  return LLVMBuildIntCast2(s->b, x, mt_vector_of(s, t), 0, "");
}

/* ------------------------------------------------------------ runs of lanes */

#define RUNS_OF_ROW 4 /* that a row of the group has room for, at least */

int mt_geometry_step(mt_Spmd *s, LLVMValueRef arg, unsigned part, int run) {
  if (param_of(s, arg)->kind != MT_PARAM_BUILTIN) return -1;
  const Attribute *a = attribute_of(s, arg);
  if (s->mode == MT_GRID_SHAPED ||
      !(a->source == FROM_GRID || (a->source == FROM_PATTERN && !a->scale)) ||
      s->geometry->size[0] < (uint32_t)(RUNS_OF_ROW * run))
    return -1;
  return part == 0;
}

LLVMValueRef mt_geometry_run(mt_Spmd *s, LLVMValueRef arg, unsigned part,
                             int first, int run, LLVMValueRef *ok) {
  const Attribute *a = attribute_of(s, arg);
  uint32_t row = s->geometry->size[0];
  LLVMValueRef n =
      LLVMBuildAdd(s->b, first_number(s), mt_const_i32(s, first), "");
  LLVMValueRef x = LLVMBuildURem(s->b, n, mt_const_i32(s, row), "");
  *ok = LLVMBuildICmp(s->b, LLVMIntULE, x,
                      mt_const_i32(s, (int64_t)row - run), "");
  x = compute(s, position(s, part), n, false);
  if (a->source == FROM_GRID)
    x = LLVMBuildAdd(s->b, x, group_origin(s, part), "");
  return to_type(s, x, mt_type_part(LLVMTypeOf(arg), part));
}

/* ------------------------------------------------------------------- masks */

bool mt_geometry_partial(const mt_Spmd *s) {
  if (s->geometry->whole) return false;
  return s->mode != MT_GRID_FULL || total(s) % (uint32_t)s->lanes != 0;
}

static LLVMValueRef below_count(mt_Spmd *s, LLVMValueRef n) {
  if (s->geometry->shifted) /* before the first thread is above all of them */
    return LLVMBuildICmp(s->b, LLVMIntULT, numbers(s), mt_splat(s, n), "");
  LLVMValueRef left = LLVMBuildSub(s->b, n, first_number(s), "");
  return LLVMBuildICmp(s->b, LLVMIntULT, s->lane, mt_splat(s, left), "");
}

LLVMValueRef mt_geometry_mask(mt_Spmd *s) {
  if (!mt_geometry_partial(s)) return s->all_on;
  if (s->mode != MT_GRID_MASKED) return below_count(s, count(s));
  LLVMValueRef m = total(s) % (uint32_t)s->lanes
                       ? below_count(s, mt_const_i32(s, total(s)))
                       : s->all_on;
  for (unsigned d = 0; d < 3; d++) {
    if (!s->geometry->ragged[d] || s->geometry->size[d] == 1) continue;
    LLVMValueRef n = field3(s, offsetof(mt_Group, actual), d);
    LLVMValueRef in =
        LLVMBuildICmp(s->b, LLVMIntULT, place(s, d), mt_splat(s, n), "");
    m = LLVMBuildAnd(s->b, m, in, "");
  }
  return m;
}
