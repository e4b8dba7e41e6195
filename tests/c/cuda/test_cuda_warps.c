/*
** test_cuda_warps.c - PTX between threads in the stand-in for NVIDIA's driver
** (tests/cuda): memory of all state spaces, calls, branches, atomics, lanes of
** a warp, barriers and small matrices, each beside an answer in plain C.
**
** Guards: the stand-in's PTX: instructions on integers, bits, predicates,
** floats of all widths and roundings; memory, calls, atomics, lanes, barriers,
** small matrices; each beside an answer in plain C. With
** CUDA_LIBRARY=libcuda.so.1 the same runs on a GPU
*/
#include "tests/c/cuda/cuda_words.h"

#include "base/kernel_types/half.h"

#ifdef __linux__

#include <math.h>

/* A kernel k(in, out) of one block; %r0 is the thread, %d0 'in', %d1 'out', %d2
** where the thread's word of 'out' is. */
static void run_kernel(const char *data, const char *body, unsigned threads,
                       const void *in, size_t in_size, void *out,
                       size_t out_size) {
  static char ptx[16384];
  int n = snprintf(ptx, sizeof ptx,
                   HEAD90
                   "%s\n.visible .entry k(.param .u64 k_in, "
                   ".param .u64 k_out)\n{\n"
                   ".reg .pred %%p<16>;\n.reg .b16 %%h<16>;\n"
                   ".reg .b32 %%r<64>;\n"
                   ".reg .b64 %%d<32>;\n.local .align 16 .b8 depot[64];\n"
                   "ld.param.u64 %%d0, [k_in];\nld.param.u64 %%d1, [k_out];\n"
                   "mov.u32 %%r0, %%tid.x;\nmul.wide.u32 %%d2, %%r0, 4;\n"
                   "add.s64 %%d2, %%d1, %%d2;\n%s\nret;\n}\n",
                   data, body);
  assert_true(n < (int)sizeof ptx);
  void *m, *f = load_ptx(ptx, "k", &m);
  Ptr i, o;
  FINE(cuMemAlloc_v2(&i, in_size ? in_size : 16));
  FINE(cuMemAlloc_v2(&o, out_size));
  if (in_size) FINE(cuMemcpyHtoD_v2(i, in, in_size));
  FINE(cuMemsetD8_v2(o, 0, out_size));
  void *params[] = {&i, &o};
  FINE(cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 256, NULL, params, NULL));
  FINE(cuMemcpyDtoH_v2(out, o, out_size));
  FINE(cuMemFree_v2(i));
  FINE(cuMemFree_v2(o));
  FINE(cuModuleUnload(m));
}

#define RUN(threads, body, in, out) \
  run_kernel("", body, threads, in, sizeof in, out, sizeof out)
static const u32 nothing_in[4];

static void same(const u32 *got, const u32 *want, int n) {
  for (int k = 0; k < n; k++)
    if (got[k] != want[k])
      fail_msg("word %d is 0x%x, not 0x%x", k, got[k], want[k]);
}

/* ------------------------------------------------------------------ memory */

/* Two copies of 16 bytes by one thread, each a group; 'wait' stands in front of
** the loads. Returns which of them have come. */
static unsigned arrived(const char *wait) {
  static char body[2048];
  static const u32 in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  u32 out[8];
  unsigned which = 0;
  snprintf(body, sizeof body,
           "mov.b32 %%r1, tile;\n"
           "cp.async.cg.shared.global [%%r1], [%%d0], 16; "
           "cp.async.commit_group;\n"
           "cp.async.cg.shared.global [%%r1+16], [%%d0+16], 16; "
           "cp.async.commit_group;\n"
           "%s\n"
           "ld.shared.v4.b32 {%%r2, %%r3, %%r4, %%r5}, [%%r1];\n"
           "ld.shared.v4.b32 {%%r6, %%r7, %%r8, %%r9}, [%%r1+16];\n"
           "st.global.v4.b32 [%%d1], {%%r2, %%r3, %%r4, %%r5};\n"
           "st.global.v4.b32 [%%d1+16], {%%r6, %%r7, %%r8, %%r9};\n",
           wait);
  run_kernel(".shared .align 16 .b8 tile[32];\n", body, 1, in, sizeof in, out,
             sizeof out);
  for (int k = 0; k < 2; k++)
    if (memcmp(out + 4 * k, in + 4 * k, 16) == 0) which |= 1u << k;
  return which;
}

/* What a GPU may do at any time is done as late as it may be. A GPU may be
** quicker, so that only the stand-in shows a wait that is missing. */
static void waited_copies(void **state) {
  (void)state;
  assert_int_equal(arrived("cp.async.wait_all;"), 3);
  assert_int_equal(arrived("cp.async.wait_group 0;"), 3);
  if (getenv("CUDA_LIBRARY")) return;
  assert_int_equal(arrived(""), 0);
  assert_int_equal(arrived("cp.async.wait_group 1;"), 1);
  assert_int_equal(arrived("cp.async.wait_group 2;"), 0);
  assert_int_equal(arrived("cp.async.commit_group; cp.async.wait_group 1;"), 3);
  assert_int_equal(arrived("bar.sync 0;"), 0);
}

/* Copies that are started while the other warp still reads the old bytes. */
static void early_copies(void **state) {
  (void)state;
  u32 in[4] = {9, 9, 9, 9}, out[64];
  const char *body =
      "mov.b32 %%r1, tile; mov.b32 %%r2, 7; "
      "st.shared.v4.b32 [%%r1], {%%r2, %%r2, %%r2, %%r2};\n"
      "bar.sync 0; and.b32 %%r4, %%r0, 31; setp.eq.u32 %%p1, %%r4, 0;\n"
      "%s@%%p1 cp.async.cg.shared.global [%%r1], [%%d0], 16;\n%s"
      "cp.async.wait_all; st.global.b32 [%%d2], %%r3;\n";
  static char text[2048];
  const char *load = "ld.shared.b32 %r3, [%r1]; bar.sync 0;\n";
  snprintf(text, sizeof text, body, load, "");
  run_kernel(".shared .align 16 .b8 tile[16];\n", text, 64, in, sizeof in, out,
             sizeof out);
  assert_true(out[31] == 7 && out[63] == 7);
  if (getenv("CUDA_LIBRARY")) return;
  snprintf(text, sizeof text, body, "", load);
  run_kernel(".shared .align 16 .b8 tile[16];\n", text, 64, in, sizeof in, out,
             sizeof out);
  assert_true(out[31] != 7 || out[63] != 7);
}

static void spaces(void **state) {
  (void)state;
  u32 out[32], want[32];
  run_kernel(
      ".extern .shared .align 16 .b8 dyn[];\n"
      ".const .align 4 .b8 table[16] = "
      "{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};\n"
      ".global .align 4 .u32 count = 5;\n"
      ".global .align 8 .u64 where[2] = {generic(count), count+0};\n"
      ".shared .align 4 .b8 tile[128];\n",
      /* shared, static and dynamic, by offset and by generic address */
      "shl.b32 %r1, %r0, 2; mov.b32 %r2, tile; add.s32 %r3, %r2, %r1;\n"
      "mul.lo.s32 %r4, %r0, 3; st.shared.b32 [%r3], %r4; bar.sync 0;\n"
      "xor.b32 %r5, %r1, 4; cvt.u64.u32 %d3, %r5; mov.b64 %d4, tile;\n"
      "cvta.shared.u64 %d5, %d4; add.s64 %d6, %d5, %d3; ld.b32 %r6, [%d6];\n"
      "isspacep.shared %p1, %d6; selp.b32 %r7, 1000, 0, %p1; "
      "add.s32 %r6, %r6, %r7;\n"
      "mov.b64 %d7, dyn; add.s64 %d7, %d7, %d3; st.shared.b32 [%d7], %r6; "
      "bar.sync 0;\n"
      "ld.shared.b32 %r8, [%d7];\n"
      /* local */
      "mov.b64 %d8, depot; cvta.local.u64 %d9, %d8; "
      "st.local.b32 [%d8+8], %r8;\n"
      "ld.b32 %r9, [%d9+8]; isspacep.local %p2, %d9; @!%p2 trap;\n"
      "st.local.v2.b32 [%d8+16], {%r0, %r9}; "
      "ld.local.v2.u32 {%r10, %r11}, [%d8+16];\n"
      "add.s32 %r9, %r11, %r10; sub.s32 %r9, %r9, %r0;\n"
      /* constants, and a variable through its address */
      "and.b32 %r12, %r0, 3; mul.wide.u32 %d10, %r12, 4; mov.b64 %d11, table;\n"
      "add.s64 %d11, %d11, %d10; ld.const.u32 %r13, [%d11]; "
      "add.s32 %r9, %r9, %r13;\n"
      "ld.global.u64 %d12, [where]; ld.global.u64 %d13, [where+8]; "
      "ld.u32 %r14, [%d12];\n"
      "ld.global.u32 %r15, [%d13]; add.s32 %r9, %r9, %r14; "
      "add.s32 %r9, %r9, %r15;\n"
      "isspacep.global %p3, %d12; @!%p3 trap; st.global.b32 [%d2], %r9;",
      32, nothing_in, sizeof nothing_in, out, sizeof out);
  for (u32 t = 0; t < 32; t++) want[t] = 1000 + 3 * (t ^ 1) + (t & 3) + 1 + 10;
  same(out, want, 32);
}

static void widths(void **state) {
  (void)state;
  u8 in[64];
  u32 out[8], want[8];
  for (int k = 0; k < 64; k++) in[k] = (u8)(0xf0 + k * 3);
  RUN(1,
      "ld.global.s8 %r1, [%d0+3]; st.global.b32 [%d1], %r1;\n"
      "ld.global.u8 %h1, [%d0+3]; cvt.u32.u16 %r2, %h1; "
      "st.global.b32 [%d1+4], %r2;\n"
      "ld.global.s16 %r3, [%d0+2]; st.global.b32 [%d1+8], %r3;\n"
      "ld.global.nc.v4.b32 {%r4, %r5, %r6, %r7}, [%d0+16]; "
      "st.global.b32 [%d1+12], %r6;\n"
      "ld.volatile.global.b64 %d3, [%d0+8]; cvt.u32.u64 %r8, %d3; "
      "st.global.b32 [%d1+16], %r8;\n"
      "ld.relaxed.gpu.global.b32 %r9, [%d0+20]; "
      "st.release.sys.global.b32 [%d1+20], %r9;\n"
      "st.global.b8 [%d1+24], %r9; ld.acquire.cta.global.u16 %h2, [%d0]; "
      "st.global.b16 [%d1+26], %h2;\n"
      "ld.global.v4.b8 {%h3, %h4, %h5, %h6}, [%d0+4]; "
      "st.global.v2.b16 [%d1+28], {%h4, %h6};",
      in, out);
  u16 h;
  memcpy(&h, in + 2, 2);
  want[0] = (u32)(s32)(s8)in[3];
  want[1] = in[3];
  want[2] = (u32)(s32)(s16)h;
  memcpy(&want[3], in + 24, 4);
  memcpy(&want[4], in + 8, 4);
  memcpy(&want[5], in + 20, 4);
  want[6] = in[20] | (u32)in[0] << 16 | (u32)in[1] << 24;
  want[7] = in[5] | (u32)in[7] << 16;
  same(out, want, 8);
}

/* -------------------------------------------------------- control and calls */

static void branches(void **state) {
  (void)state;
  u32 out[64], want[64];
  RUN(64,
      /* a different number of rounds for each lane, then a jump by index */
      "mov.b32 %r1, 0; mov.b32 %r2, %r0;\n"
      "$LOOP: setp.eq.s32 %p1, %r2, 0; @%p1 bra $OUT; add.s32 %r1, %r1, %r2;\n"
      "and.b32 %r3, %r2, 1; setp.eq.s32 %p2, %r3, 0; @%p2 bra $EVEN; "
      "add.s32 %r1, %r1, 100;\n"
      "$EVEN: sub.s32 %r2, %r2, 1; bra.uni $LOOP;\n"
      "$OUT: activemask.b32 %r4; setp.ne.s32 %p3, %r4, -1; @%p3 trap;\n"
      "and.b32 %r5, %r0, 3;\n"
      "$T: .branchtargets $A, $B, $C, $B;\n"
      "brx.idx %r5, $T;\n"
      "$A: add.s32 %r1, %r1, 10000; bra $END;\n"
      "$B: add.s32 %r1, %r1, 20000; bra $END;\n"
      "$C: add.s32 %r1, %r1, 30000;\n"
      "$END: st.global.b32 [%d2], %r1;",
      nothing_in, out);
  for (u32 t = 0; t < 64; t++)
    want[t] = t * (t + 1) / 2 + (t + 1) / 2 * 100 +
              (t % 4 == 0 ? 10000u : t % 4 == 2 ? 30000u : 20000u);
  same(out, want, 64);
}

static void calls(void **state) {
  (void)state;
  u32 out[32], want[32];
  run_kernel(
      /* a function that calls itself, and one by its address */
      ".func (.param .b32 r) factorial(.param .b32 n)\n{\n"
      ".reg .pred %p<2>; .reg .b32 %r<8>;\n"
      "ld.param.b32 %r1, [n]; mov.b32 %r2, 1; setp.lt.u32 %p1, %r1, 2; "
      "@%p1 bra $END;\n"
      "sub.s32 %r3, %r1, 1;\n"
      "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r3;\n"
      "call.uni (b), factorial, (a); ld.param.b32 %r4, [b]; }\n"
      "mul.lo.s32 %r2, %r1, %r4;\n$END: st.param.b32 [r], %r2; ret;\n}\n"
      ".func (.param .b32 r) twice(.param .b32 n)\n{\n.reg .b32 %r<4>;\n"
      "ld.param.b32 %r1, [n]; add.s32 %r2, %r1, %r1; st.param.b32 [r], %r2; "
      "ret;\n}\n",
      "and.b32 %r1, %r0, 7;\n"
      "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\n"
      "call.uni (b), factorial, (a); ld.param.b32 %r2, [b]; }\n"
      "mov.u64 %d3, twice;\n"
      "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r2;\n"
      "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
      "call (b), %d3, (a), P; ld.param.b32 %r3, [b]; }\n"
      "st.global.b32 [%d2], %r3;",
      32, nothing_in, sizeof nothing_in, out, sizeof out);
  for (u32 t = 0; t < 32; t++) {
    u32 f = 1;
    for (u32 k = 2; k <= (t & 7); k++) f *= k;
    want[t] = 2 * f;
  }
  same(out, want, 32);
}

/* ----------------------------------------------------------------- atomics */

static void atomics(void **state) {
  (void)state;
  u32 in[20] = {0}, out[20], want[20] = {0};
  in[3] = UINT32_MAX;
  run_kernel(
      ".shared .align 8 .b8 tile[64];\n",
      "atom.global.add.u32 %r1, [%d1], %r0; red.global.add.u32 [%d1+4], 2;\n"
      "red.relaxed.gpu.global.max.s32 [%d1+8], %r0; not.b32 %r2, %r0;\n"
      "red.global.min.s32 [%d1+12], %r2; "
      "atom.global.or.b32 %r3, [%d1+16], %r0;\n"
      "red.global.xor.b32 [%d1+20], %r0; "
      "atom.global.inc.u32 %r4, [%d1+24], 9;\n"
      "atom.global.dec.u32 %r5, [%d1+28], 4; cvt.rn.f32.u32 %r6, %r0;\n"
      "red.global.add.f32 [%d1+32], %r6; "
      "atom.acq_rel.sys.global.cas.b32 %r7, [%d1+36], 0, 77;\n"
      "cvt.u64.u32 %d3, %r0; red.global.add.u64 [%d1+40], %d3;\n"
      "atom.global.exch.b32 %r8, [%d1+48], %r0; "
      "atom.global.and.b32 %r9, [%d1+52], 0;\n"
      "mov.b32 %r11, 1006648320; red.global.add.noftz.f16x2 [%d1+56], %r11;\n"
      "red.global.max.u64 [%d1+64], %d3;\n"
      /* shared memory starts as anything */
      "setp.ne.s32 %p1, %r0, 0; @%p1 bra $L; mov.b64 %d4, tile; "
      "st.shared.b32 [%d4], 0;\n"
      "$L: bar.sync 0; mov.b64 %d4, tile; "
      "atom.shared.add.u32 %r10, [%d4], 1; bar.sync 0;\n"
      "@%p1 bra $M; ld.shared.b32 %r12, [%d4]; "
      "st.global.b32 [%d1+60], %r12;\n$M:",
      64, in, sizeof in, out, sizeof out);
  float sum = 2016;
  want[0] = 2016, want[1] = 128, want[2] = 63, want[3] = (u32)-64, want[4] = 63;
  want[6] = 4, want[7] = 2, want[9] = 77, want[10] = 2016, want[12] = 63;
  memcpy(&want[8], &sum, 4);
  want[14] = 0x54005400; /* 64 times {1, 1} */
  want[15] = 64, want[16] = 63;
  for (u32 t = 0; t < 64; t++) want[5] ^= t;
  /* dec: 0 -> 4, 3, 2, 1, 0, 4, …; 64 steps from 0 */
  u32 v = 0;
  for (int t = 0; t < 64; t++) v = v == 0 || v > 4 ? 4 : v - 1;
  want[7] = v;
  same(out, want, 20);
}

/* ------------------------------------------------------------- lanes, warps */

static void shuffles(void **state) {
  (void)state;
  static const struct {
    const char *mode;
    u32 by, c;
  } list[] = {{"idx", 5, 31},  {"idx", 3, 0x1c1f >> 0 & 0x1f1f}, {"up", 3, 0},
              {"up", 1, 0x1800}, {"down", 4, 31}, {"down", 1, 0x1c1f},
              {"bfly", 16, 31},
              {"bfly", 1, 31}, {"bfly", 5, 0x181f}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    char body[400];
    u32 out[64], want[64];
    snprintf(body, sizeof body,
             "add.s32 %%r1, %%r0, 100; shfl.sync.%s.b32 %%r2|%%p1, %%r1, "
             "%u, %u, -1;\n"
             "selp.b32 %%r3, 1000, 0, %%p1; add.s32 %%r3, %%r3, %%r2; "
             "st.global.b32 [%%d2], %%r3;",
             list[k].mode, list[k].by, list[k].c);
    RUN(64, body, nothing_in, out);
    for (int t = 0; t < 64; t++) {
      int lane = t & 31, seg = (int)(list[k].c >> 8 & 31),
          clamp = (int)(list[k].c & 31);
      int first = lane & seg, last = first | (clamp & ~seg),
          by = (int)list[k].by, from;
      bool ok;
      if (list[k].mode[0] == 'u') from = lane - by, ok = from >= last;
      else if (list[k].mode[0] == 'd') from = lane + by, ok = from <= last;
      else if (list[k].mode[0] == 'b') from = lane ^ by, ok = from <= last;
      else from = first | (by & ~seg), ok = from <= last;
      want[t] = (u32)(t - lane + (ok ? from : lane)) + 100 + (ok ? 1000 : 0);
    }
    same(out, want, 64);
  }
}

static void votes(void **state) {
  (void)state;
  u32 out[96], want[96];
  RUN(96,
      "and.b32 %r1, %r0, 3; setp.eq.s32 %p1, %r1, 1; "
      "vote.sync.ballot.b32 %r2, %p1, -1;\n"
      "setp.lt.u32 %p2, %r0, 40; vote.sync.any.pred %p3, %p2, -1; "
      "vote.sync.all.pred %p4, %p2, -1;\n"
      "vote.sync.uni.pred %p5, %p2, -1; selp.b32 %r3, 1, 0, %p3; "
      "selp.b32 %r4, 2, 0, %p4;\n"
      "selp.b32 %r5, 4, 0, %p5; xor.b32 %r2, %r2, %r3; "
      "xor.b32 %r2, %r2, %r4; xor.b32 %r2, %r2, %r5;\n"
      "shr.u32 %r6, %r0, 2; and.b32 %r6, %r6, 3; "
      "match.any.sync.b32 %r7, %r6, -1;\n"
      "match.all.sync.b32 %r8|%p6, %r6, -1; @%p6 trap; "
      "add.s32 %r2, %r2, %r7; add.s32 %r2, %r2, %r8;\n"
      "redux.sync.add.s32 %r9, %r0, -1; redux.sync.max.u32 %r10, %r0, -1; "
      "add.s32 %r2, %r2, %r9;\n"
      "xor.b32 %r2, %r2, %r10;\n"
      /* half of the lanes by themselves */
      "and.b32 %r11, %r0, 1; setp.eq.s32 %p7, %r11, 0; @%p7 bra $EVEN;\n"
      "redux.sync.xor.b32 %r12, %r0, 0xaaaaaaaa; bra $END;\n"
      "$EVEN: redux.sync.or.b32 %r12, %r0, 0x55555555;\n"
      "$END: bar.warp.sync -1; add.s32 %r2, %r2, %r12; "
      "st.global.b32 [%d2], %r2;",
      nothing_in, out);
  for (u32 t = 0; t < 96; t++) {
    u32 w = t & ~31u, any = w < 40, all = w + 31 < 40, v = 0x22222222, sum = 0,
        x = 0, o = 0;
    v ^= any ? 1 : 0, v ^= all ? 2 : 0, v ^= all || !any ? 4 : 0;
    u32 like = 0;
    for (u32 l = 0; l < 32; l++) {
      if ((l >> 2 & 3) == (t >> 2 & 3)) like |= 1u << l;
      sum += w + l;
      if (l & 1) x ^= w + l;
      else o |= w + l;
    }
    v = ((v + like + sum) ^ (w + 31)) + (t & 1 ? x : o);
    want[t] = v;
  }
  same(out, want, 96);
}

static void barriers(void **state) {
  (void)state;
  u32 out[128], want[128];
  run_kernel(
      ".shared .align 4 .b8 tile[512];\n",
      /* lanes arrive one by one at a barrier that is not aligned */
      "mul.wide.u32 %d3, %r0, 4; mov.b64 %d4, tile; add.s64 %d5, %d4, %d3;\n"
      "st.shared.b32 [%d5], %r0; and.b32 %r1, %r0, 1; "
      "setp.eq.s32 %p1, %r1, 0;\n"
      "@%p1 bra $EVEN; barrier.sync 1; bra $END; $EVEN: barrier.sync 1;\n"
      "$END:\n"
      "xor.b32 %r2, %r0, 127; mul.wide.u32 %d6, %r2, 4; "
      "add.s64 %d7, %d4, %d6;\n"
      "ld.shared.b32 %r3, [%d7]; setp.gt.u32 %p2, %r0, 99;\n"
      "bar.red.popc.u32 %r4, 2, %p2; bar.red.and.pred %p3, 2, %p2; "
      "bar.red.or.pred %p4, 2, %p2;\n"
      "selp.b32 %r5, 1000, 0, %p3; selp.b32 %r6, 2000, 0, %p4; "
      "add.s32 %r3, %r3, %r4;\n"
      "add.s32 %r3, %r3, %r5; add.s32 %r3, %r3, %r6;\n"
      /* two warps by themselves; the others do not come */
      "setp.gt.u32 %p5, %r0, 63; @%p5 bra $LAST; bar.sync 3, 64;\n"
      "$LAST: st.global.b32 [%d2], %r3;\n"
      /* some end before the last barrier */
      "@%p2 exit; bar.sync 0;",
      128, nothing_in, sizeof nothing_in, out, sizeof out);
  for (u32 t = 0; t < 128; t++) want[t] = (t ^ 127) + 28 + 2000;
  same(out, want, 128);
}

/* ----------------------------------------------------------------- matrices */

/* every lane gives its registers of A, B and C and takes its of D, as words */
static void product(const char *shape, const char *type, int m, int k,
                    int bits) {
  enum { N = 8 };
  float a[16][16], b[16][N], c[16][N];
  static u32 in[32 * 12], out[32 * 4];
  memset(in, 0, sizeof in);
  for (int r = 0; r < m; r++)
    for (int x = 0; x < k; x++) a[r][x] = (float)((r * 7 + x * 3) % 11 - 5);
  for (int x = 0; x < k; x++)
    for (int n = 0; n < N; n++) b[x][n] = (float)((x * 5 + n * 2) % 9 - 4);
  for (int r = 0; r < m; r++)
    for (int n = 0; n < N; n++) c[r][n] = (float)(r - n) * 0.5f;
  int na = m * k / 32 * bits / 32, nb = k * N / 32 * bits / 32;
  bool bf = strcmp(type, "bf16") == 0;
  for (int l = 0; l < 32; l++) {
    int g = l / 4, t = l % 4;
    u32 *w = in + l * 12;
    for (int e = 0; e < m * k / 32; e++) {
      float v = bits == 16
                    ? a[g + (e & 2 ? 8 : 0)][t * 2 + (e & 1) + (e & 4 ? 8 : 0)]
                    : a[g + (e & 1 ? 8 : 0)][t + (e & 2 ? 4 : 0)];
      u32 u;
      memcpy(&u, &v, 4);
      /* small integers: exact in all of them */
      if (bits == 16) {
        w[e / 2] |= (bf ? u >> 16 : mt_half_from_float(v)) << (e & 1) * 16;
      } else {
        w[e] = u;
      }
    }
    for (int e = 0; e < k * N / 32; e++) {
      float v = bits == 16 ? b[t * 2 + (e & 1) + (e & 2 ? 8 : 0)][g]
                           : b[t + (e & 1 ? 4 : 0)][g];
      u32 u;
      memcpy(&u, &v, 4);
      if (bits == 16) {
        w[4 + e / 2] |= (bf ? u >> 16 : mt_half_from_float(v)) << (e & 1) * 16;
      } else {
        w[4 + e] = u;
      }
    }
    for (int e = 0; e < 4; e++)
      memcpy(&w[6 + e], &c[g + (e & 2 ? 8 : 0)][t * 2 + (e & 1)], 4);
  }
  char body[1600], ra[80] = "", rb[80] = "";
  for (int e = 0; e < na; e++)
    snprintf(ra + strlen(ra), 16, "%s%%r%d", e ? ", " : "", 1 + e);
  for (int e = 0; e < nb; e++)
    snprintf(rb + strlen(rb), 16, "%s%%r%d", e ? ", " : "", 5 + e);
  snprintf(body, sizeof body,
           "mul.wide.u32 %%d3, %%r0, 48; add.s64 %%d3, %%d0, %%d3;\n"
           "ld.global.v4.b32 {%%r1, %%r2, %%r3, %%r4}, [%%d3];\n"
           "ld.global.v2.b32 {%%r5, %%r6}, [%%d3+16];\n"
           "ld.global.v2.b32 {%%r7, %%r8}, [%%d3+24]; "
           "ld.global.v2.b32 {%%r9, %%r10}, [%%d3+32];\n"
           "mma.sync.aligned.%s.row.col.f32.%s.%s.f32 {%%r11, %%r12, %%r13, "
           "%%r14}, {%s}, {%s}, "
           "{%%r7, %%r8, %%r9, %%r10};\n"
           "mul.wide.u32 %%d4, %%r0, 16; add.s64 %%d4, %%d1, %%d4;\n"
           "st.global.v4.b32 [%%d4], {%%r11, %%r12, %%r13, %%r14};",
           shape, type, type, ra, rb);
  RUN(32, body, in, out);
  for (int l = 0; l < 32; l++)
    for (int e = 0; e < 4; e++) {
      int r = l / 4 + (e & 2 ? 8 : 0), n = l % 4 * 2 + (e & 1);
      float want = c[r][n], got;
      for (int x = 0; x < k; x++) want += a[r][x] * b[x][n];
      memcpy(&got, &out[l * 4 + e], 4);
      if (got != want)
        fail_msg("%s.%s: row %d column %d is %g, not %g", shape, type, r, n,
                 got, want);
    }
}

static void matrices(void **state) {
  (void)state;
  product("m16n8k8", "f16", 16, 8, 16);
  product("m16n8k16", "f16", 16, 16, 16);
  product("m16n8k8", "bf16", 16, 8, 16);
  product("m16n8k16", "bf16", 16, 16, 16);
  product("m16n8k4", "tf32", 16, 4, 32);
  product("m16n8k8", "tf32", 16, 8, 32);
}

static void matrices_moved(void **state) {
  (void)state;
  u32 out[64], want[64];
  run_kernel(".shared .align 16 .b8 tile[128];\n",
             "mul.lo.s32 %r1, %r0, 2; add.s32 %r2, %r1, 1; "
             "shl.b32 %r3, %r2, 16; or.b32 %r3, %r3, %r1;\n"
             "movmatrix.sync.aligned.m8n8.trans.b16 %r4, %r3; "
             "st.global.b32 [%d2], %r4;\n"
             "mul.wide.u32 %d3, %r0, 4; mov.b64 %d4, tile; "
             "add.s64 %d5, %d4, %d3; st.shared.b32 [%d5], %r3;\n"
             "bar.sync 0; and.b32 %r5, %r0, 7; mul.wide.u32 %d6, %r5, 16; "
             "add.s64 %d7, %d4, %d6;\n"
             "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%d7]; "
             "st.global.b32 [%d2+128], %r6;",
             32, nothing_in, sizeof nothing_in, out, sizeof out);
  for (u32 l = 0; l < 32; l++) {
    u32 r = l % 4 * 2, c = l / 4; /* element (r, c) is 8 r + c */
    want[l] = (r * 8 + c) | ((r + 1) * 8 + c) << 16;
    want[32 + l] = 2 * l | (2 * l + 1) << 16;
  }
  same(out, want, 64);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waited_copies), cmocka_unit_test(early_copies),
      cmocka_unit_test(spaces),   cmocka_unit_test(widths),
      cmocka_unit_test(branches), cmocka_unit_test(calls),
      cmocka_unit_test(atomics),  cmocka_unit_test(shuffles),
      cmocka_unit_test(votes),    cmocka_unit_test(barriers),
      cmocka_unit_test(matrices), cmocka_unit_test(matrices_moved),
  };
  return cmocka_run_group_tests(tests, open_context, close_context);
}
#else
NO_CUDA_TESTS
#endif
