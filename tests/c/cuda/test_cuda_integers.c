/*
** test_cuda_integers.c - PTX's instructions on integers, bits and predicates in
** the stand-in for NVIDIA's driver (tests/cuda), each beside plain C.
**
** Guards: the stand-in's PTX: instructions on integers, bits, predicates,
** floats of all widths and roundings; memory, calls, atomics, lanes, barriers,
** small matrices; each beside an answer in plain C. With
** CUDA_LIBRARY=libcuda.so.1 the same runs on a GPU
*/
#include "tests/c/cuda/cuda_words.h"

#ifdef __linux__

/* clang-format off */
#define INTEGER(X)                                                             \
  X(add16, 16, "add.s16 %h0, %ha, %hb;", a + b)                                \
  X(add32, 32, "add.s32 %o, %a, %b;", a + b)                                   \
  X(add64, 64, "add.s64 %out, %da, %db;", a + b)                               \
  X(add_constant, 32, "add.s32 %o, %a, -7;", a - 7)                            \
  X(add_sat, 32, "add.sat.s32 %o, %a, %b;",                                    \
    (s64)(s32)a + (s32)b > INT32_MAX   ? INT32_MAX                             \
    : (s64)(s32)a + (s32)b < INT32_MIN ? INT32_MIN                             \
                                       : (s32)a + (s64)(s32)b)                 \
  X(sub16, 16, "sub.u16 %h0, %ha, %hb;", a - b)                                \
  X(sub32, 32, "sub.s32 %o, %a, %b;", a - b)                                   \
  X(sub64, 64, "sub.s64 %out, %da, %db;", a - b)                               \
  X(carry, 64, "add.cc.u32 %r1, %a, %c; addc.u32 %r2, %b, %e; mov.b64 %out, {%r1, %r2};", \
    ((u64)(u32)b << 32 | (u32)a) + ((u64)(u32)e << 32 | (u32)c))               \
  X(borrow, 64, "sub.cc.u32 %r1, %a, %c; subc.u32 %r2, %b, %e; mov.b64 %out, {%r1, %r2};", \
    ((u64)(u32)b << 32 | (u32)a) - ((u64)(u32)e << 32 | (u32)c))               \
  X(carry64, 64, "add.cc.u64 %d4, %da, %dc; addc.u64 %out, %db, %de;",         \
    b + e + (a + c < a))                                                       \
  X(mul_lo16, 16, "mul.lo.s16 %h0, %ha, %hb;", a * b)                          \
  X(mul_lo32, 32, "mul.lo.s32 %o, %a, %b;", a * b)                             \
  X(mul_lo64, 64, "mul.lo.u64 %out, %da, %db;", a * b)                         \
  X(mul_hi_u16, 16, "mul.hi.u16 %h0, %ha, %hb;", (u32)(u16)a * (u16)b >> 16)   \
  X(mul_hi_s16, 16, "mul.hi.s16 %h0, %ha, %hb;", (s32)(s16)a * (s16)b >> 16)   \
  X(mul_hi_u32, 32, "mul.hi.u32 %o, %a, %b;", (u64)(u32)a * (u32)b >> 32)      \
  X(mul_hi_s32, 32, "mul.hi.s32 %o, %a, %b;", (s64)(s32)a * (s32)b >> 32)      \
  X(mul_hi_u64, 64, "mul.hi.u64 %out, %da, %db;", (u128)a * b >> 64)           \
  X(mul_hi_s64, 64, "mul.hi.s64 %out, %da, %db;", (s128)(s64)a * (s64)b >> 64) \
  X(wide_u16, 32, "mul.wide.u16 %o, %ha, %hb;", (u32)(u16)a * (u16)b)          \
  X(wide_s16, 32, "mul.wide.s16 %o, %ha, %hb;", (s32)(s16)a * (s16)b)          \
  X(wide_u32, 64, "mul.wide.u32 %out, %a, %b;", (u64)(u32)a * (u32)b)          \
  X(wide_s32, 64, "mul.wide.s32 %out, %a, %b;", (s64)(s32)a * (s32)b)          \
  X(mad_lo32, 32, "mad.lo.s32 %o, %a, %b, %c;", a * b + c)                     \
  X(mad_lo64, 64, "mad.lo.s64 %out, %da, %db, %dc;", a * b + c)                \
  X(mad_hi32, 32, "mad.hi.s32 %o, %a, %b, %c;",                                \
    (u32)((s64)(s32)a * (s32)b >> 32) + (u32)c)                                \
  X(mad_wide, 64, "mad.wide.s32 %out, %a, %b, %dc;", (s64)(s32)a * (s32)b + (s64)c) \
  X(mad_wide_u, 64, "mad.wide.u32 %out, %a, %b, %dc;", (u64)(u32)a * (u32)b + c) \
  X(mul24, 32, "mul24.lo.s32 %o, %a, %b;",                                     \
    (s64)((s32)((u32)a << 8) >> 8) * ((s32)((u32)b << 8) >> 8))                \
  X(mul24u, 32, "mul24.hi.u32 %o, %a, %b;", (a & 0xffffff) * (b & 0xffffff) >> 16) \
  X(mad24, 32, "mad24.lo.u32 %o, %a, %b, %c;", (a & 0xffffff) * (b & 0xffffff) + c) \
  X(div_u32, 32, "div.u32 %o, %a, %b;", (u32)b ? (u32)a / (u32)b : UINT32_MAX) \
  X(div_s32, 32, "or.b32 %b, %b, 1; div.s32 %o, %a, %b;",                      \
    (s64)(s32)a / (s32)(b | 1))                                                \
  X(div_s64, 64, "or.b64 %db, %db, 1; div.s64 %out, %da, %db;",                \
    (s128)(s64)a / (s64)(b | 1))                                               \
  X(rem_u64, 64, "or.b64 %db, %db, 1; rem.u64 %out, %da, %db;", a % (b | 1))   \
  X(rem_s32, 32, "or.b32 %b, %b, 1; rem.s32 %o, %a, %b;",                      \
    (s64)(s32)a % (s32)(b | 1))                                                \
  X(rem_s16, 16, "or.b16 %hb, %hb, 1; rem.s16 %h0, %ha, %hb;", (s16)a % (s16)(b | 1)) \
  X(min_s16, 16, "min.s16 %h0, %ha, %hb;", (s16)a < (s16)b ? a : b)            \
  X(min_u32, 32, "min.u32 %o, %a, %b;", (u32)a < (u32)b ? a : b)               \
  X(min_s64, 64, "min.s64 %out, %da, %db;", (s64)a < (s64)b ? a : b)           \
  X(max_s32, 32, "max.s32 %o, %a, %b;", (s32)a > (s32)b ? a : b)               \
  X(max_u64, 64, "max.u64 %out, %da, %db;", a > b ? a : b)                     \
  X(abs32, 32, "abs.s32 %o, %a;", (s32)a < 0 ? 0 - a : a)                      \
  X(abs64, 64, "abs.s64 %out, %da;", (s64)a < 0 ? 0 - a : a)                   \
  X(neg16, 16, "neg.s16 %h0, %ha;", 0 - a)                                     \
  X(neg64, 64, "neg.s64 %out, %da;", 0 - a)                                    \
  X(sad, 32, "sad.s32 %o, %a, %b, %c;",                                        \
    c + ((s32)a < (s32)b ? b - a : a - b))                                     \
  X(dp4a, 32, "dp4a.s32.u32 %o, %a, %b, %c;",                                  \
    (u32)c + (u32)((int8_t)a * (int)(uint8_t)b) +                              \
        (u32)((int8_t)(a >> 8) * (int)(uint8_t)(b >> 8)) +                     \
        (u32)((int8_t)(a >> 16) * (int)(uint8_t)(b >> 16)) +                   \
        (u32)((int8_t)(a >> 24) * (int)(uint8_t)(b >> 24)))

static u64 field_u(u64 v, unsigned pos, unsigned len, unsigned bits) {
  u64 r = 0;
  for (unsigned k = 0; k < len && pos + k < bits; k++) r |= (v >> (pos + k) & 1) << k;
  return r;
}
/* the sign is that of the field's last bit, or of the number's where it ends
** before */
static u64 field_s(u64 v, unsigned pos, unsigned len, unsigned bits) {
  unsigned last = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;
  u64 r = 0, sign = len == 0 ? 0 : v >> last & 1;
  for (unsigned k = 0; k < bits; k++)
    r |= (k < len && pos + k < bits ? v >> (pos + k) & 1 : sign) << k;
  return r;
}
static u64 inserted(u64 a, u64 b, unsigned pos, unsigned len, unsigned bits) {
  for (unsigned k = 0; k < len && pos + k < bits; k++) {
    b &= ~((u64)1 << (pos + k));
    b |= (a >> k & 1) << (pos + k);
  }
  return b;
}
static u64 permuted(u64 a, u64 b, u64 c) {
  u8 bytes[8];
  u64 r = 0;
  for (int k = 0; k < 4; k++) bytes[k] = (u8)(a >> 8 * k), bytes[k + 4] = (u8)(b >> 8 * k);
  for (int k = 0; k < 4; k++) {
    u8 v = bytes[c >> 4 * k & 7];
    if (c >> (4 * k + 3) & 1) v = (u8)((s8)v >> 7);
    r |= (u64)v << 8 * k;
  }
  return r;
}
static u64 reversed(u64 v, int bits) {
  u64 r = 0;
  while (bits--) r = r << 1 | (v & 1), v >>= 1;
  return r;
}
static u64 last_bit(u64 v) {
  u64 r = 0xffffffff;
  for (u64 k = 0; k < 64; k++)
    if (v >> k & 1) r = k;
  return r;
}
static u64 count(u64 v) {
  u64 n = 0;
  for (; v; v &= v - 1) n++;
  return n;
}
static u64 zeros(u64 v, u64 bits) {
  u64 n = 0;
  while (n < bits && !(v >> (bits - 1 - n) & 1)) n++;
  return n;
}

#define BITS(X)                                                                   \
  X(and16, 16, "and.b16 %h0, %ha, %hb;", a & b)                                   \
  X(and32, 32, "and.b32 %o, %a, -8;", a & ~(u64)7)                                \
  X(and64, 64, "and.b64 %out, %da, %db;", a & b)                                  \
  X(or32, 32, "or.b32 %o, %a, %b;", a | b)                                        \
  X(xor64, 64, "xor.b64 %out, %da, %db;", a ^ b)                                  \
  X(xor16, 16, "xor.b16 %h0, %ha, -1;", ~a)                                       \
  X(not16, 16, "not.b16 %h0, %ha;", ~a)                                           \
  X(not32, 32, "not.b32 %o, %a;", ~a)                                             \
  X(not64, 64, "not.b64 %out, %da;", ~a)                                          \
  X(cnot, 32, "cnot.b32 %o, %a;", (u32)a == 0)                                    \
  X(shl16, 16, "shl.b16 %h0, %ha, %b;", (u32)b > 15 ? 0 : a << b)                 \
  X(shl32, 32, "shl.b32 %o, %a, %b;", (u32)b > 31 ? 0 : a << (u32)b)              \
  X(shl64, 64, "shl.b64 %out, %da, %b;", (u32)b > 63 ? 0 : a << (u32)b)           \
  X(shr_u32, 32, "shr.u32 %o, %a, %b;", (u32)b > 31 ? 0 : (u32)a >> (u32)b)       \
  X(shr_s32, 32, "shr.s32 %o, %a, %b;", (s32)a >> ((u32)b > 31 ? 31 : (u32)b))    \
  X(shr_s16, 16, "shr.s16 %h0, %ha, %b;", (s16)a >> ((u32)b > 15 ? 15 : (u32)b))  \
  X(shr_s64, 64, "shr.s64 %out, %da, %b;", (s64)a >> ((u32)b > 63 ? 63 : (u32)b)) \
  X(shr_u64, 64, "shr.b64 %out, %da, %b;", (u32)b > 63 ? 0 : a >> (u32)b)         \
  X(shf_l, 32, "shf.l.wrap.b32 %o, %a, %b, %c;", (u32)((b << 32 | (u32)a) << (c & 31) >> 32)) \
  X(shf_r, 32, "shf.r.wrap.b32 %o, %a, %b, %c;", (b << 32 | (u32)a) >> (c & 31))  \
  X(shf_lc, 32, "shf.l.clamp.b32 %o, %a, %b, %c;",                                \
    (u32)c >= 32 ? (u32)a : (u32)((b << 32 | (u32)a) << (u32)c >> 32))            \
  X(shf_rc, 32, "shf.r.clamp.b32 %o, %a, %b, %c;",                                \
    (u32)c >= 32 ? (u32)b : (u32)((b << 32 | (u32)a) >> (u32)c))                  \
  X(prmt, 32, "prmt.b32 %o, %a, %b, %c;", permuted(a, b, c))                      \
  X(prmt_constant, 32, "prmt.b32 %o, %a, %b, 0x5410U;", (u16)a | (u32)(b << 16))  \
  X(prmt_f4e, 32, "prmt.b32.f4e %o, %a, %b, %c;", permuted(a, b, c % 4 == 0 ? 0x3210 : c % 4 == 1 ? 0x4321 : c % 4 == 2 ? 0x5432 : 0x6543)) \
  X(prmt_b4e, 32, "prmt.b32.b4e %o, %a, %b, %c;", permuted(a, b, c % 4 == 0 ? 0x5670 : c % 4 == 1 ? 0x6701 : c % 4 == 2 ? 0x7012 : 0x0123)) \
  X(prmt_rc8, 32, "prmt.b32.rc8 %o, %a, %b, %c;", permuted(a, b, c % 4 * 0x1111)) \
  X(prmt_ecl, 32, "prmt.b32.ecl %o, %a, %b, %c;", permuted(a, b, c % 4 == 0 ? 0x3210 : c % 4 == 1 ? 0x3211 : c % 4 == 2 ? 0x3222 : 0x3333)) \
  X(prmt_ecr, 32, "prmt.b32.ecr %o, %a, %b, %c;", permuted(a, b, c % 4 == 0 ? 0x0000 : c % 4 == 1 ? 0x1110 : c % 4 == 2 ? 0x2210 : 0x3210)) \
  X(prmt_rc16, 32, "prmt.b32.rc16 %o, %a, %b, %c;", permuted(a, b, c % 2 ? 0x3232 : 0x1010)) \
  X(bfe_u32, 32, "bfe.u32 %o, %a, %b, %c;", field_u((u32)a, b & 255, c & 255, 32)) \
  X(bfe_s32, 32, "bfe.s32 %o, %a, %b, %c;", field_s((u32)a, b & 255, c & 255, 32)) \
  X(bfe_u64, 64, "and.b32 %b, %b, 255; and.b32 %c, %c, 255; bfe.u64 %out, %da, %b, %c;", field_u(a, b & 255, c & 255, 64))  \
  X(bfe_s64, 64, "and.b32 %b, %b, 255; and.b32 %c, %c, 255; bfe.s64 %out, %da, %b, %c;", field_s(a, b & 255, c & 255, 64))  \
  X(bfi32, 32, "bfi.b32 %o, %a, %b, %c, %e;", inserted(a, b, c & 255, e & 255, 32)) \
  X(bfi64, 64, "and.b32 %c, %c, 255; and.b32 %e, %e, 255; bfi.b64 %out, %da, %db, %c, %e;", inserted(a, b, c & 255, e & 255, 64)) \
  X(bfind_u32, 32, "bfind.u32 %o, %a;", last_bit((u32)a))                         \
  X(bfind_s32, 32, "bfind.s32 %o, %a;", last_bit((s32)a < 0 ? (u32)~a : (u32)a))  \
  X(bfind_s64, 32, "bfind.s64 %o, %da;", last_bit((s64)a < 0 ? ~a : a))           \
  X(bfind_shift, 32, "bfind.shiftamt.u64 %o, %da;", a ? 63 - last_bit(a) : 0xffffffff) \
  X(clz32, 32, "clz.b32 %o, %a;", zeros((u32)a, 32))                              \
  X(clz64, 32, "clz.b64 %o, %da;", zeros(a, 64))                                  \
  X(popc32, 32, "popc.b32 %o, %a;", count((u32)a))                                \
  X(popc64, 32, "popc.b64 %o, %da;", count(a))                                    \
  X(brev32, 32, "brev.b32 %o, %a;", reversed(a, 32))                              \
  X(brev64, 64, "brev.b64 %out, %da;", reversed(a, 64))                           \
  X(lop3, 32, "lop3.b32 %o, %a, %b, %c, 0xe8;", (a & b) | (a & c) | (b & c))      \
  X(lop3_96, 32, "lop3.b32 %o, %a, %b, %c, 0x96;", a ^ b ^ c)                     \
  X(lop3_ca, 32, "lop3.b32 %o, %a, %b, %c, 0xca;", (a & b) | (~a & c))            \
  X(pack, 64, "mov.b64 %out, {%a, %b};", (u32)a | b << 32)                        \
  X(unpack, 32, "mov.b64 {%r1, %o}, %da;", a >> 32)                               \
  X(unpack_one, 32, "mov.b64 {_, %o}, %da;", a >> 32)                             \
  X(pack4, 64, "mov.b64 %out, {%ha, %hb, %hc, %ha};", (u16)a | (u64)(u16)b << 16 | (u64)(u16)c << 32 | (u64)(u16)a << 48) \
  X(unpack2, 16, "mov.b32 {%h1, %h0}, %a;", a >> 16)                              \
  X(swap, 64, "mov.b64 {%r1, %r2}, %da; mov.b64 %out, {%r2, %r1};", a >> 32 | a << 32)

#define COMPARISONS(X)                                                            \
  X(lt_s32, 32, "setp.lt.s32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", (s32)a < (s32)b) \
  X(lt_u32, 32, "setp.lt.u32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", (u32)a < (u32)b) \
  X(lo, 32, "setp.lo.u32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", (u32)a < (u32)b)  \
  X(hs, 32, "setp.hs.u64 %p1, %da, %db; selp.b32 %o, 1, 0, %p1;", a >= b)         \
  X(ge_s16, 32, "setp.ge.s16 %p1, %ha, %hb; selp.b32 %o, 1, 0, %p1;", (s16)a >= (s16)b) \
  X(gt_u16, 32, "setp.gt.u16 %p1, %ha, %hb; selp.b32 %o, 1, 0, %p1;", (u16)a > (u16)b) \
  X(le_s64, 32, "setp.le.s64 %p1, %da, %db; selp.b32 %o, 1, 0, %p1;", (s64)a <= (s64)b) \
  X(eq_b64, 32, "setp.eq.b64 %p1, %da, %db; selp.b32 %o, 1, 0, %p1;", a == b)     \
  X(ne_b16, 32, "setp.ne.b16 %p1, %ha, %hb; selp.b32 %o, 1, 0, %p1;", (u16)a != (u16)b) \
  X(dual, 32, "setp.lt.s32 %p1|%p2, %a, %b; selp.b32 %r1, 1, 0, %p1; selp.b32 %o, 2, %r1, %p2;", \
    (s32)a < (s32)b ? 1 : 2)                                                      \
  X(combined, 32, "setp.gt.u32 %p2, %c, %e; setp.lt.and.s32 %p1, %a, %b, %p2; selp.b32 %o, 1, 0, %p1;", \
    (s32)a < (s32)b && (u32)c > (u32)e)                                           \
  X(combined_not, 32, "setp.gt.u32 %p2, %c, %e; setp.lt.or.s32 %p1, %a, %b, !%p2; selp.b32 %o, 1, 0, %p1;", \
    (s32)a < (s32)b || (u32)c <= (u32)e)                                          \
  X(and_pred, 32, "setp.lt.s32 %p1, %a, %b; setp.lt.s32 %p2, %b, %c; and.pred %p3, %p1, %p2; selp.b32 %o, 1, 0, %p3;", \
    (s32)a < (s32)b && (s32)b < (s32)c)                                           \
  X(xor_pred, 32, "setp.lt.s32 %p1, %a, %b; setp.lt.s32 %p2, %b, %c; xor.pred %p3, %p1, %p2; not.pred %p4, %p3; selp.b32 %o, 1, 0, %p4;", \
    !(((s32)a < (s32)b) ^ ((s32)b < (s32)c)))                                     \
  X(mov_pred, 32, "setp.lt.s32 %p1, %a, %b; mov.pred %p2, %p1; mov.pred %p3, -1; and.pred %p3, %p2, %p3; selp.b32 %o, 1, 0, %p3;", \
    (s32)a < (s32)b)                                                              \
  X(guard, 32, "mov.b32 %o, %a; setp.lt.s32 %p1, %a, %b; @%p1 mov.b32 %o, %b; @!%p1 add.s32 %o, %o, 1;", \
    (s32)a < (s32)b ? b : a + 1)                                                  \
  X(set, 32, "set.lt.u32.s32 %o, %a, %b;", (s32)a < (s32)b ? UINT32_MAX : 0)      \
  X(set_f, 32, "set.ge.f32.u32 %o, %a, %b;", (u32)a >= (u32)b ? 0x3f800000 : 0)   \
  X(selp64, 64, "setp.eq.b32 %p1, %a, %b; selp.b64 %out, %dc, %de, %p1;", (u32)a == (u32)b ? c : e) \
  X(selp16, 16, "setp.ne.b32 %p1, %a, %b; selp.b16 %h0, %ha, %hb, %p1;", (u32)a != (u32)b ? a : b) \
  X(slct, 32, "slct.b32.s32 %o, %a, %b, %c;", (s32)c >= 0 ? a : b)

#define CONVERSIONS(X)                                                            \
  X(u64_s32, 64, "cvt.s64.s32 %out, %a;", (s64)(s32)a)                            \
  X(u64_u32, 64, "cvt.u64.u32 %out, %a;", (u32)a)                                 \
  X(u64_s16, 64, "cvt.s64.s16 %out, %ha;", (s64)(s16)a)                           \
  X(s32_s8, 32, "cvt.s32.s8 %o, %a;", (s32)(s8)a)                                 \
  X(u32_u8, 32, "cvt.u32.u8 %o, %ha;", (u8)a)                                     \
  X(s16_s8, 16, "cvt.s16.s8 %h0, %ha;", (s16)(s8)a)                               \
  X(u16_u64, 16, "cvt.u16.u64 %h0, %da;", (u16)a)                                 \
  X(s8_s32, 32, "cvt.s8.s32 %o, %a;", (s32)(s8)a)                                 \
  X(u8_u32, 32, "cvt.u8.u32 %o, %a;", (u8)a)                                      \
  X(sat_u8_s32, 32, "cvt.sat.u8.s32 %o, %a;", (s32)a < 0 ? 0 : (s32)a > 255 ? 255 : (s32)a) \
  X(sat_s16_s64, 16, "cvt.sat.s16.s64 %h0, %da;", (s64)a < -32768 ? -32768 : (s64)a > 32767 ? 32767 : (s64)a) \
  X(sat_u32_s64, 32, "cvt.sat.u32.s64 %o, %da;", (s64)a < 0 ? 0 : (s64)a > UINT32_MAX ? UINT32_MAX : a) \
  X(sat_s32_u32, 32, "cvt.sat.s32.u32 %o, %a;", (u32)a > INT32_MAX ? INT32_MAX : (u32)a) \
  X(pack16, 32, "cvt.pack.sat.s16.s32 %o, %a, %b;",                               \
    (u32)(u16)((s32)a < -32768 ? -32768 : (s32)a > 32767 ? 32767 : (s32)a) << 16 |  \
        (u16)((s32)b < -32768 ? -32768 : (s32)b > 32767 ? 32767 : (s32)b))        \
  X(pack8, 32, "cvt.pack.sat.u8.s32.b32 %o, %a, %b, %c;",                         \
    (u32)c << 16 | (u32)(u8)((s32)a < 0 ? 0 : (s32)a > 255 ? 255 : (s32)a) << 8 |  \
        (u8)((s32)b < 0 ? 0 : (s32)b > 255 ? 255 : (s32)b))
/* clang-format on */

INTEGER(FUNCTION)
BITS(FUNCTION)
COMPARISONS(FUNCTION)
CONVERSIONS(FUNCTION)

#define TRY(name, LIST)                                   \
  static void name(void **state) {                        \
    (void)state;                                          \
    static const Instruction list[] = {LIST(ROW)};        \
    try_all(list, sizeof list / sizeof *list, fill_words); \
  }
TRY(arithmetic, INTEGER)
TRY(bits, BITS)
TRY(comparisons, COMPARISONS)
TRY(conversions, CONVERSIONS)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic),
      cmocka_unit_test(bits),
      cmocka_unit_test(comparisons),
      cmocka_unit_test(conversions),
  };
  return cmocka_run_group_tests(tests, open_context, close_context);
}
#else
NO_CUDA_TESTS
#endif
