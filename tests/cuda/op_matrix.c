/*
** op_matrix.c - products of small matrices whose elements lie in the registers
** of a whole warp: mma.sync, and movmatrix, ldmatrix, stmatrix.
**
** A lane is of a group of four: 'group' is lane / 4, 'at' is lane % 4. The
** exact sum of products is rounded once, so it is nearer than the hardware's.
*/
#include "tests/cuda/access.h"
#include "tests/cuda/numbers.h"

#include <math.h>
#include <string.h>

static uint64_t everybody[WARP];

static uint32_t whole_warp(Warp *w, const Inst *i, uint32_t lanes) {
  lanes = gather(w, i, lanes, everybody);
  if (lanes != 0 && lanes != UINT32_MAX)
    fault(w, i, __builtin_ctz(lanes), FAULT_LAUNCH,
          "lanes 0x%x of the warp have ended, the instruction is of all",
          ~lanes);
  return lanes;
}

typedef struct Shape {
  unsigned m, n, k;
} Shape;

/* Row and column of element e of a lane's part of A, B or C. */
static void place_a(const Shape *s, unsigned bits, int lane, unsigned e,
                    unsigned *row, unsigned *column) {
  unsigned group = (unsigned)lane / 4, at = (unsigned)lane % 4;
  if (bits == 16) {
    *row = group + (e & 2 ? 8 : 0);
    *column = at * 2 + (e & 1) + (e & 4 ? 8 : 0);
  } else if (s->m == 8) {
    *row = group;
    *column = at;
  } else {
    *row = group + (e & 1 ? 8 : 0);
    *column = at + (e & 2 ? 4 : 0);
  }
}

static void place_b(unsigned bits, int lane, unsigned e, unsigned *row,
                    unsigned *column) {
  unsigned at = (unsigned)lane % 4;
  *column = (unsigned)lane / 4;
  *row = bits == 16 ? at * 2 + (e & 1) + (e & 2 ? 8 : 0) : at + (e & 1 ? 4 : 0);
}

static void place_c(int lane, unsigned e, unsigned *row, unsigned *column) {
  *row = (unsigned)lane / 4 + (e & 2 ? 8 : 0);
  *column = (unsigned)lane % 4 * 2 + (e & 1);
}

static void mma(Warp *w, const Inst *i, uint32_t lanes) {
  if (whole_warp(w, i, lanes) == 0) return;
  Shape s = {i->op, 8, i->vec};
  Type t = i->type, ct = i->type2, dt = i->round;
  unsigned bits = t == T_F64 ? 64 : t == T_TF32 ? 32 : 16;
  double a[16][16], b[16][8], c[16][8];
  unsigned row, column, in_a = s.m * s.k / WARP, in_b = s.k * s.n / WARP;
  unsigned in_c = s.m * s.n / WARP;
  int32_t at_b = (int32_t)(in_a * bits / (bits == 64 ? 64 : 32));
  int32_t at_c = at_b + (int32_t)(in_b * bits / (bits == 64 ? 64 : 32));
  for (int l = 0; l < WARP; l++) {
    for (unsigned e = 0; e < in_a; e++) {
      place_a(&s, bits, l, e, &row, &column);
      uint64_t v = bits == 16 ? src(w, i->s[e / 2])[l] >> (e & 1) * 16
                              : src(w, i->s[e])[l];
      a[row][column] = widen(v, t);
    }
    for (unsigned e = 0; e < in_b; e++) {
      place_b(bits, l, e, &row, &column);
      uint64_t v = bits == 16
                       ? src(w, i->s[at_b + (int)e / 2])[l] >> (e & 1) * 16
                       : src(w, i->s[at_b + (int)e])[l];
      b[row][column] = widen(v, t);
    }
    for (unsigned e = 0; e < in_c; e++) {
      place_c(l, e, &row, &column);
      c[row][column] =
          ct == T_F16
              ? widen(src(w, i->s[at_c + (int)e / 2])[l] >> (e & 1) * 16, T_F16)
              : widen(src(w, i->s[at_c + (int)e])[l], ct);
    }
  }
  for (int l = 0; l < WARP; l++) {
    uint64_t r[4] = {0};
    for (unsigned e = 0; e < in_c; e++) {
      place_c(l, e, &row, &column);
      double sum = c[row][column];
      for (unsigned k = 0; k < s.k; k++)
        sum = t == T_F64 ? fma(a[row][k], b[k][column], sum)
                         : sum + a[row][k] * b[k][column];
      if (dt == T_F64)
        r[e] = bits_f64(sum);
      else if (dt == T_F32)
        r[e] = narrow(sum, T_F32, R_RN);
      else
        r[e / 2] |= (uint64_t)narrow(sum, T_F16, R_RN) << (e & 1) * 16;
    }
    for (unsigned e = 0; e < (dt == T_F16 ? in_c / 2 : in_c); e++)
      dst(w, i->d[e])[l] = r[e];
  }
}

static void transpose(Warp *w, const Inst *i, uint32_t lanes) {
  if (whole_warp(w, i, lanes) == 0) return;
  const uint64_t *a = src(w, i->s[0]);
  uint16_t m[8][8];
  for (int l = 0; l < WARP; l++)
    for (int e = 0; e < 2; e++)
      m[l / 4][l % 4 * 2 + e] = (uint16_t)(a[l] >> e * 16);
  uint64_t *d = dst(w, i->d[0]);
  for (int l = 0; l < WARP; l++)
    d[l] = m[l % 4 * 2][l / 4] | (uint32_t)m[l % 4 * 2 + 1][l / 4] << 16;
}

/* row r of matrix k lies where lane k * 8 + r says */
static void ldmatrix(Warp *w, const Inst *i, uint32_t lanes) {
  if (whole_warp(w, i, lanes) == 0) return;
  const uint64_t *a = src(w, i->s[0]);
  uint16_t m[4][8][8];
  for (unsigned k = 0; k < i->vec; k++)
    for (unsigned r = 0; r < 8; r++) {
      int l = (int)(k * 8 + r);
      uint64_t at = (i->wide ? a[l] : (uint32_t)a[l]) + (uint64_t)i->imm;
      memcpy(m[k][r], access_at(w, i, l, at, 16, false), 16);
    }
  for (unsigned k = 0; k < i->vec; k++)
    for (int l = 0; l < WARP; l++) {
      int r = l / 4, c = l % 4 * 2;
      dst(w, i->d[k])[l] = i->hi ? m[k][c][r] | (uint32_t)m[k][c + 1][r] << 16
                                 : m[k][r][c] | (uint32_t)m[k][r][c + 1] << 16;
    }
}

static void stmatrix(Warp *w, const Inst *i, uint32_t lanes) {
  if (whole_warp(w, i, lanes) == 0) return;
  const uint64_t *a = src(w, i->s[0]);
  uint16_t m[4][8][8];
  for (unsigned k = 0; k < i->vec; k++)
    for (int l = 0; l < WARP; l++)
      for (int e = 0; e < 2; e++) {
        int r = l / 4, c = l % 4 * 2 + e;
        m[k][i->hi ? c : r][i->hi ? r : c] =
            (uint16_t)(src(w, i->s[1 + k])[l] >> e * 16);
      }
  for (unsigned k = 0; k < i->vec; k++)
    for (unsigned r = 0; r < 8; r++) {
      int l = (int)(k * 8 + r);
      uint64_t at = (i->wide ? a[l] : (uint32_t)a[l]) + (uint64_t)i->imm;
      memcpy(access_at(w, i, l, at, 16, true), m[k][r], 16);
    }
}

/* ------------------------------------------------------------------ decoding
 */

static void sync_aligned(Parse *p) {
  if (!take(p, "sync") || !take(p, "aligned"))
    parse_fail(p, ".sync.aligned is missing");
}

static unsigned vector_of(Parse *p, const Opnd *o, Type t, int32_t *to,
                          bool result) {
  unsigned n = o->kind == O_VEC ? o->count : 1;
  for (unsigned k = 0; k < n; k++) {
    const Opnd *e = o->kind == O_VEC ? &o->list[k] : o;
    to[k] = result ? put(p, e, t) : get(p, e, t);
  }
  return n;
}

static void decode_mma(Parse *p) {
  static const struct {
    const char *name;
    uint8_t m, k;
    Type types[2];
  } shapes[] = {{"m16n8k8", 16, 8, {T_F16, T_BF16}},
                {"m16n8k16", 16, 16, {T_F16, T_BF16}},
                {"m16n8k4", 16, 4, {T_TF32, T_TF32}},
                {"m16n8k8", 16, 8, {T_TF32, T_TF32}},
                {"m8n8k4", 8, 4, {T_F64, T_F64}}};
  Inst *i = p->i;
  sync_aligned(p);
  if (!take(p, "row") || !take(p, "col"))
    parse_fail(p, "only .row.col is known");
  char shape[16] = "";
  for (uint32_t k = 1; k < p->parts; k++)
    if (!p->taken[k] && p->part[k][0] == 'm') {
      strncpy(shape, p->part[k], sizeof shape - 1);
      p->taken[k] = true;
      break;
    }
  Type d = take_type(p), a = take_type(p), b = take_type(p), c = take_type(p);
  bool known = false;
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    if (strcmp(shape, shapes[k].name) == 0 && a == b &&
        (a == shapes[k].types[0] || a == shapes[k].types[1])) {
      i->op = shapes[k].m;
      i->vec = shapes[k].k;
      known = true;
    }
  bool sums = a == T_F64   ? d == T_F64 && c == T_F64
              : a == T_F16 ? (d == T_F32 || d == T_F16) && d == c
                           : d == T_F32 && c == T_F32;
  if (!known || !sums) parse_fail(p, "this mma is not known");
  i->type = a;
  i->type2 = c;
  i->round = (uint8_t)d;
  want_ops(p, 4, 4);
  Type word = a == T_F64 ? T_B64 : T_B32;
  unsigned bits = a == T_F64 ? 64 : a == T_TF32 ? 32 : 16;
  unsigned in_a = i->op * i->vec / WARP * bits / (a == T_F64 ? 64 : 32);
  unsigned in_b = i->vec * 8 / WARP * bits / (a == T_F64 ? 64 : 32);
  if (in_b == 0) in_b = 1;
  unsigned in_c = i->op * 8 / WARP / (c == T_F16 ? 2 : 1);
  if (vector_of(p, &p->op[0], word, i->d, true) != in_c ||
      vector_of(p, &p->op[1], word, i->s, false) != in_a ||
      vector_of(p, &p->op[2], word, i->s + in_a, false) != in_b ||
      vector_of(p, &p->op[3], word, i->s + in_a + in_b, false) != in_c)
    parse_fail(p, "the vectors have not that many elements");
  i->run = mma;
}

bool decode_matrix(Parse *p) {
  Inst *i = p->i;
  const char *o = p->part[0];
  for (int l = 0; l < WARP; l++) everybody[l] = UINT32_MAX;
  if (strcmp(o, "mma") == 0) {
    decode_mma(p);
  } else if (strcmp(o, "movmatrix") == 0) {
    sync_aligned(p);
    if (!take(p, "m8n8") || !take(p, "trans") || take_type(p) != T_B16)
      parse_fail(p, "this movmatrix is not known");
    want_ops(p, 2, 2);
    i->d[0] = put(p, &p->op[0], T_B32);
    i->s[0] = get(p, &p->op[1], T_B32);
    i->run = transpose;
  } else if (strcmp(o, "ldmatrix") == 0 || strcmp(o, "stmatrix") == 0) {
    bool load = o[0] == 'l';
    sync_aligned(p);
    if (!take(p, "m8n8")) parse_fail(p, "this shape is not known");
    i->vec = take(p, "x1") ? 1 : take(p, "x2") ? 2 : take(p, "x4") ? 4 : 0;
    i->hi = take(p, "trans");
    Space space = take_state_space(p);
    if (i->vec == 0 || take_type(p) != T_B16 ||
        (space != SP_SHARED && space != SP_GENERIC))
      parse_fail(p, "this %s is not known", o);
    want_ops(p, 2, 2);
    address(p, &p->op[load ? 1 : 0], 0, space);
    unsigned n = load ? vector_of(p, &p->op[0], T_B32, i->d, true)
                      : vector_of(p, &p->op[1], T_B32, i->s + 1, false);
    if (n != i->vec) parse_fail(p, "the vector has not that many elements");
    i->run = load ? ldmatrix : stmatrix;
  } else {
    return false;
  }
  return true;
}
