/*
** test_host.c - kernels on the host device give the known answers: every thread
** attribute, ragged grids, group sizes, barriers, threadgroup memory, atomics
** and SIMD-group operations; each thread by thread and as vectors.
**
** Guards: devices/host: attributes, ragged grids, barriers, atomics, SIMD sums,
** constants; thread by thread and as vectors;
** devices/compiler/prepare/{function_constants, read_module, retarget,
** texture_formats}.c, devices/host/{host, memory, texture}.c,
** devices/host/scalar/{scalar, kernel_log}.c, devices/host/run/{dispatch,
** fiber, progress}.c, devices/host/kernel/{compile, compile_result, kernel,
** specialise}.c, devices/host/module/module.c,
** devices/host/vector/thread_position.c
*/
#include "base/pool.h"
#include "tests/c/host_case.h"

static const unsigned sizes[] = {1, 2, 31, 32, 33, 64, 100, 256, 1000, 1024};
#define SIZES (sizeof sizes / sizeof *sizes)

static const mt_Size shapes[][2] = { /* grid, group */
    {{1, 1, 1}, {1, 1, 1}},      {{7, 5, 3}, {2, 2, 2}},
    {{33, 9, 1}, {8, 4, 1}},     {{40, 40, 1}, {16, 16, 1}},
    {{17, 31, 2}, {32, 32, 1}},  {{5, 6, 7}, {5, 6, 7}},
    {{64, 3, 1}, {64, 1, 1}},    {{3, 64, 1}, {1, 64, 1}},
    {{3, 3, 40}, {2, 1, 33}},    {{100, 7, 5}, {31, 3, 2}},
    {{10, 11, 12}, {4, 8, 16}},  {{13, 1, 1}, {1024, 1, 1}},
    {{50, 50, 1}, {7, 9, 1}},    {{20, 20, 20}, {10, 10, 10}},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* -------------------------------------------------------------- attributes */

enum { FACTS = 34 };

static const char *attributes = MSL(
kernel void facts(
    device uint *out [[buffer(0)]],
    uint3 gid [[thread_position_in_grid]],
    uint3 lid [[thread_position_in_threadgroup]],
    uint tid [[thread_index_in_threadgroup]],
    ushort3 tg [[threadgroup_position_in_grid]],
    uint3 grid [[threads_per_grid]],
    uint3 per [[threads_per_threadgroup]],
    ushort3 dper [[dispatch_threads_per_threadgroup]],
    uint3 groups [[threadgroups_per_grid]],
    uint width [[thread_execution_width]],
    uint width2 [[threads_per_simdgroup]],
    uint lane [[thread_index_in_simdgroup]],
    ushort sg [[simdgroup_index_in_threadgroup]],
    uint sgs [[simdgroups_per_threadgroup]],
    uint dsgs [[dispatch_simdgroups_per_threadgroup]],
    uint ql [[thread_index_in_quadgroup]],
    uint qi [[quadgroup_index_in_threadgroup]],
    uint qs [[quadgroups_per_threadgroup]],
    uint dqs [[dispatch_quadgroups_per_threadgroup]]) {
  device uint *o = out + 34 * ((gid.z * grid.y + gid.y) * grid.x + gid.x);
  o[0] = gid.x; o[1] = gid.y; o[2] = gid.z;
  o[3] = lid.x; o[4] = lid.y; o[5] = lid.z;
  o[6] = tid;
  o[7] = tg.x; o[8] = tg.y; o[9] = tg.z;
  o[10] = grid.x; o[11] = grid.y; o[12] = grid.z;
  o[13] = per.x; o[14] = per.y; o[15] = per.z;
  o[16] = dper.x; o[17] = dper.y; o[18] = dper.z;
  o[19] = groups.x; o[20] = groups.y; o[21] = groups.z;
  o[22] = width; o[23] = width2; o[24] = lane; o[25] = sg; o[26] = sgs;
  o[27] = dsgs; o[28] = ql; o[29] = qi; o[30] = qs; o[31] = dqs;
  o[32] = 1; o[33] = lid.x + per.x * (lid.y + per.y * lid.z);
});

static void expected_facts(const uint64_t grid[3], const uint64_t size[3],
                           const uint64_t at[3], uint32_t *o) {
  uint64_t group[3], local[3], per[3], groups[3];
  for (int d = 0; d < 3; d++) {
    group[d] = at[d] / size[d];
    local[d] = at[d] % size[d];
    groups[d] = (grid[d] + size[d] - 1) / size[d];
    uint64_t left = grid[d] - group[d] * size[d];
    per[d] = left < size[d] ? left : size[d];
    o[d] = (uint32_t)at[d];
    o[3 + d] = (uint32_t)local[d];
    o[7 + d] = (uint32_t)group[d];
    o[10 + d] = (uint32_t)grid[d];
    o[13 + d] = (uint32_t)per[d];
    o[16 + d] = (uint32_t)size[d];
    o[19 + d] = (uint32_t)groups[d];
  }
  uint32_t tid = (uint32_t)(local[0] + per[0] * (local[1] + per[1] * local[2]));
  uint32_t all = (uint32_t)(per[0] * per[1] * per[2]);
  uint32_t full = (uint32_t)(size[0] * size[1] * size[2]);
  o[6] = o[33] = tid;
  o[22] = o[23] = 32;
  o[24] = tid % 32;
  o[25] = tid / 32;
  o[26] = (all + 31) / 32;
  o[27] = (full + 31) / 32;
  o[28] = tid % 4;
  o[29] = tid / 4;
  o[30] = (all + 3) / 4;
  o[31] = (full + 3) / 4;
  o[32] = 1;
}

static void check_facts(mt_Kernel *k, mt_Size g, mt_Size s) {
  uint64_t grid[3] = {g.x, g.y, g.z}, size[3] = {s.x, s.y, s.z}, at[3];
  mt_Buffer *out = host_buffer(grid[0] * grid[1] * grid[2] * FACTS * 4);
  host_must_run(k, g, s, &out);
  uint32_t *got = mt_buffer_contents(out), want[FACTS];
  for (at[2] = 0; at[2] < grid[2]; at[2]++)
    for (at[1] = 0; at[1] < grid[1]; at[1]++)
      for (at[0] = 0; at[0] < grid[0]; at[0]++, got += FACTS) {
        expected_facts(grid, size, at, want);
        for (int i = 0; i < FACTS; i++)
          if (got[i] != want[i])
            fail_msg("%s, grid %dx%dx%d group %dx%dx%d thread %d,%d,%d: fact "
                     "%d is %u, not %u", getenv("METTLE_ENGINE"), (int)g.x,
                     (int)g.y, (int)g.z, (int)s.x, (int)s.y, (int)s.z,
                     (int)at[0], (int)at[1], (int)at[2], i, got[i], want[i]);
      }
  mt_buffer_free(out);
}

static void test_attributes(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(attributes, "facts");
  for (int way = 0; host_way(way); way++) {
    for (size_t i = 0; i < SIZES; i++) {
      check_facts(k, (mt_Size){3000, 1, 1}, (mt_Size){sizes[i], 1, 1});
      check_facts(k, (mt_Size){sizes[i] * 2u, 1, 1}, (mt_Size){sizes[i], 1, 1});
    }
    for (size_t i = 0; i < SHAPES; i++)
      check_facts(k, shapes[i][0], shapes[i][1]);
  }
  mt_kernel_free(k);
}

/* --------------------------------------------------- barriers, group memory */

static const char *reverse = MSL(
kernel void reverse(device const uint *in [[buffer(0)]],
                    device uint *out [[buffer(1)]],
                    uint i [[thread_position_in_grid]],
                    uint t [[thread_index_in_threadgroup]],
                    uint n [[threads_per_threadgroup]],
                    uint g [[threadgroup_position_in_grid]],
                    uint full [[dispatch_threads_per_threadgroup]]) {
  threadgroup uint tile[1024];
  threadgroup uint total;
  if (t == 0) total = 0;
  tile[t] = in[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint sum = 0;
  for (uint round = 0; round < 3; round++) {
    uint next = tile[(t + 1) % n];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (round % 2 == 0) tile[t] = next + 1;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum = sum * 3 + tile[t];
  }
  if (t == n - 1) total = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[g * full + n - 1 - t] = sum + total;
});

static void reverse_reference(const uint32_t *in, uint32_t *out, uint32_t n) {
  uint32_t tile[1024], next[1024], sum[1024] = {0};
  memcpy(tile, in, n * 4);
  for (int round = 0; round < 3; round++) {
    for (uint32_t t = 0; t < n; t++) next[t] = tile[(t + 1) % n];
    for (uint32_t t = 0; t < n; t++) {
      if (round % 2 == 0) tile[t] = next[t] + 1;
      sum[t] = sum[t] * 3 + tile[t];
    }
  }
  for (uint32_t t = 0; t < n; t++) out[n - 1 - t] = sum[t] + sum[n - 1];
}

static void test_barriers(void **state) {
  (void)state;
  enum { N = 2500 };
  mt_Kernel *k = host_kernel(reverse, "reverse");
  mt_Buffer *b[] = {host_buffer(N * 4), host_buffer(N * 4)};
  uint32_t *in = mt_buffer_contents(b[0]), *out = mt_buffer_contents(b[1]);
  for (uint32_t i = 0; i < N; i++) in[i] = i * 2654435761u;
  for (int way = 0; host_way(way); way++)
    for (size_t s = 0; s < SIZES; s++) {
      uint32_t want[1024], size = sizes[s];
      memset(out, 0, N * 4);
      host_must_run(k, (mt_Size){N, 1, 1}, (mt_Size){size, 1, 1}, b);
      for (uint32_t at = 0; at < N; at += size) {
        uint32_t n = N - at < size ? N - at : size;
        reverse_reference(in + at, want, n);
        assert_memory_equal(out + at, want, n * 4);
      }
    }
  mt_kernel_free(k);
  mt_buffer_free(b[0]);
  mt_buffer_free(b[1]);
}

/* Threadgroup memory that the launch sizes, two pieces of it. */
static void test_threadgroup_arguments(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(MSL(
kernel void two(device uint *out [[buffer(0)]],
                threadgroup uint *a [[threadgroup(0)]],
                threadgroup ulong *b [[threadgroup(1)]],
                uint i [[thread_position_in_grid]],
                uint t [[thread_position_in_threadgroup]],
                uint n [[threads_per_threadgroup]]) {
  a[t] = i;
  b[t] = ulong(i) << 32;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = a[n - 1 - t] + uint(b[(t + 1) % n] >> 32);
}), "two");
  mt_Buffer *out = host_buffer(300 * 4);
  for (int way = 0; host_way(way); way++) {
    mt_Arg args[6] = {{.kind = MT_ARG_BUFFER, .buffer = out, .size = 1200},
                      {.kind = MT_ARG_THREADGROUP, .size = 400},
                      {.kind = MT_ARG_THREADGROUP, .size = 800}};
    mt_Launch l = {.kernel = k, .args = args, .arg_count = 6,
                   .grid = {300, 1, 1}, .group = {100, 1, 1}, .repeats = 1};
    mt_Timing t;
    if (mt_launch(&l, &t, &error) != MT_OK) fail_msg("%s", error.text);
    for (uint32_t i = 0; i < 300; i++) {
      uint32_t base = i / 100 * 100, at = i % 100;
      assert_int_equal(((uint32_t *)mt_buffer_contents(out))[i],
                       base + 99 - at + base + (at + 1) % 100);
    }
  }
  mt_kernel_free(k);
  mt_buffer_free(out);
}

/* ----------------------------------------------------------------- atomics */

static void test_atomics(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(MSL(
kernel void count(device const uint *in [[buffer(0)]],
                  device atomic_uint *bins [[buffer(1)]],
                  uint i [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]],
                  uint n [[threads_per_threadgroup]]) {
  threadgroup atomic_uint local[8];
  for (uint b = t; b < 8; b += n)
    atomic_store_explicit(&local[b], 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&local[in[i] % 8], 1u, memory_order_relaxed);
  atomic_fetch_max_explicit(&bins[8], in[i], memory_order_relaxed);
  atomic_fetch_xor_explicit(&bins[9], in[i], memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint b = t; b < 8; b += n)
    atomic_fetch_add_explicit(&bins[b],
        atomic_load_explicit(&local[b], memory_order_relaxed),
        memory_order_relaxed);
}), "count");
  enum { N = 10000 };
  mt_Buffer *b[] = {host_buffer(N * 4), host_buffer(40)};
  uint32_t *in = mt_buffer_contents(b[0]), *bins = mt_buffer_contents(b[1]);
  uint32_t want[10] = {0};
  for (uint32_t i = 0; i < N; i++) {
    in[i] = i * 2654435761u >> 7;
    want[in[i] % 8]++;
    if (in[i] > want[8]) want[8] = in[i];
    want[9] ^= in[i];
  }
  for (int way = 0; host_way(way); way++)
    for (size_t s = 0; s < SIZES; s++) {
      memset(bins, 0, 40);
      host_must_run(k, (mt_Size){N, 1, 1}, (mt_Size){sizes[s], 1, 1}, b);
      assert_memory_equal(bins, want, 40);
    }
  mt_kernel_free(k);
  mt_buffer_free(b[0]);
  mt_buffer_free(b[1]);
}

/* -------------------------------------------------------------- SIMD-groups */

static void test_simd_sum(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(MSL(
kernel void sums(device const uint *in [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  uint a = simd_sum(in[i]);
  uint b = 0;
  if (in[i] % 3 != 0) b = simd_sum(in[i]);
  uint c = 0;
  for (uint r = 0; r < in[i] % 4; r++) {
    if ((r + lane) % 2) continue;
    c = c * 7 + simd_sum(1u);
  }
  out[i * 4] = a;
  out[i * 4 + 1] = b;
  out[i * 4 + 2] = c;
  out[i * 4 + 3] = simd_prefix_exclusive_sum(in[i]);
}), "sums");
  enum { N = 1111 };
  mt_Buffer *b[] = {host_buffer(N * 4), host_buffer(N * 16)};
  uint32_t *in = mt_buffer_contents(b[0]), *out = mt_buffer_contents(b[1]);
  for (uint32_t i = 0; i < N; i++) in[i] = (i * 2654435761u >> 20) + i;
  for (int way = 0; host_way(way); way++)
    for (size_t s = 0; s < SIZES; s++) {
      host_must_run(k, (mt_Size){N, 1, 1}, (mt_Size){sizes[s], 1, 1}, b);
      for (uint32_t i = 0; i < N; i++) {
        uint32_t group = i / sizes[s] * sizes[s];
        uint32_t from = group + (i - group) / 32 * 32, to = from + 32;
        if (to > group + sizes[s]) to = group + sizes[s];
        if (to > N) to = N;
        uint32_t a = 0, odd = 0, before = 0, rounds[4] = {0}, c = 0;
        for (uint32_t j = from; j < to; j++) {
          a += in[j];
          if (in[j] % 3) odd += in[j];
          if (j < i) before += in[j];
          for (uint32_t r = 0; r < in[j] % 4; r++)
            rounds[r] += (r + j - from) % 2 == 0;
        }
        for (uint32_t r = 0; r < in[i] % 4; r++)
          if ((r + i - from) % 2 == 0) c = c * 7 + rounds[r];
        assert_int_equal(out[i * 4], a);
        assert_int_equal(out[i * 4 + 1], in[i] % 3 ? odd : 0);
        assert_int_equal(out[i * 4 + 2], c);
        assert_int_equal(out[i * 4 + 3], before);
      }
    }
  mt_kernel_free(k);
  mt_buffer_free(b[0]);
  mt_buffer_free(b[1]);
}

/* ---------------------------------------------------------- control, types */

static void test_control(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(MSL(
kernel void collatz(device const uint *in [[buffer(0)]],
                    device uint *out [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  uint n = in[i];
  uint steps = 0;
  if (n == 13) return;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
    if (steps > 100) break;
  }
  switch (steps % 5) {
    case 0: steps += 1000;
    case 1: steps += 100; break;
    case 3: steps *= 2; break;
    default: break;
  }
  out[i] = steps;
}), "collatz");
  enum { N = 3000 };
  mt_Buffer *b[] = {host_buffer(N * 4), host_buffer(N * 4)};
  uint32_t *in = mt_buffer_contents(b[0]), *out = mt_buffer_contents(b[1]);
  for (uint32_t i = 0; i < N; i++) in[i] = i % 977 + 1;
  for (int way = 0; host_way(way); way++)
    for (size_t s = 0; s < SIZES; s++) {
      memset(out, 0xff, N * 4);
      host_must_run(k, (mt_Size){N, 1, 1}, (mt_Size){sizes[s], 1, 1}, b);
      for (uint32_t i = 0; i < N; i++) {
        uint32_t n = in[i], steps = 0;
        while (n != 1 && steps <= 100) n = n % 2 ? 3 * n + 1 : n / 2, steps++;
        uint32_t rest = steps % 5;
        steps += rest == 0 ? 1100 : rest == 1 ? 100 : rest == 3 ? steps : 0;
        assert_int_equal(out[i], in[i] == 13 ? UINT32_MAX : steps);
      }
    }
  mt_kernel_free(k);
  mt_buffer_free(b[0]);
  mt_buffer_free(b[1]);
}

static void test_constants(void **state) {
  (void)state;
  static const char source[] = MSL(
constant uint factor [[function_constant(0)]];
constant bool twice [[function_constant(1)]];
constant uint offset [[function_constant(2)]];
kernel void scale(device uint *out [[buffer(0)]],
                  uint i [[thread_position_in_grid]]) {
  uint extra = is_function_constant_defined(offset) ? offset : 5;
  out[i] = i * factor * (twice ? 2 : 1) + extra;
});
  mt_Library *lib = NULL;
  mt_Kernel *k = NULL;
  mt_Str log = MT_STR_INIT;
  if (mt_library_new(host, source, strlen(source), NULL, &lib, &log, &error) !=
      MT_OK)
    fail_msg("%s\n%s", error.text, mt_str_text(&log));
  uint32_t three = 3, forty = 40;
  bool yes = true;
  mt_ConstantValue v[] = {{0, &three, 4}, {1, &yes, 1}, {2, &forty, 4}};
  assert_int_not_equal(mt_kernel_new(lib, "scale", NULL, 0, &k, &error), MT_OK);
  assert_non_null(strstr(error.text, "factor"));
  mt_Buffer *out = host_buffer(400);
  for (size_t count = 2; count <= 3; count++) {
    if (mt_kernel_new(lib, "scale", v, count, &k, &error) != MT_OK)
      fail_msg("%s", error.text);
    for (int way = 0; host_way(way); way++) {
      host_must_run(k, (mt_Size){100, 1, 1}, (mt_Size){64, 1, 1}, &out);
      for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(((uint32_t *)mt_buffer_contents(out))[i],
                         i * 6 + (count == 3 ? 40 : 5));
    }
    mt_kernel_free(k);
  }
  mt_buffer_free(out);
  mt_library_free(lib);
  mt_str_free(&log);
}

/* ------------------------------------------------------- threads, repeats */

/* Float sums of a group, and of all threads in it: the bits do not depend on
** how many cores there are. */
static void test_same_bits(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(MSL(
kernel void sums(device const float *in [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_index_in_threadgroup]],
                 uint n [[threads_per_threadgroup]]) {
  threadgroup float tile[256];
  float x = in[i];
  for (uint r = 0; r < 20; r++) x = fma(x, 1.01f, sin(x) * 0.3f);
  tile[t] = x;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = simd_sum(x);
  for (uint j = 0; j < n; j++) sum += tile[j] * exp(-float(j));
  out[i] = sum;
}), "sums");
  enum { N = 5000 };
  static float first[N];
  mt_Buffer *b[] = {host_buffer(N * 4), host_buffer(N * 4)};
  float *in = mt_buffer_contents(b[0]), *out = mt_buffer_contents(b[1]);
  for (int i = 0; i < N; i++) in[i] = (float)(i % 97) * 0.37f - 11;
  for (int way = 0; host_way(way); way++)
    for (unsigned threads = 1; threads < 8; threads += 2) {
      mt_pool_resize(threads);
      memset(out, 0, N * 4);
      host_must_run(k, (mt_Size){N, 1, 1}, (mt_Size){200, 1, 1}, b);
      if (threads == 1) memcpy(first, out, sizeof first);
      assert_memory_equal(out, first, sizeof first);
    }
  mt_pool_resize(0);
  mt_kernel_free(k);
  mt_buffer_free(b[0]);
  mt_buffer_free(b[1]);
}

static void test_repeats(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(MSL(
kernel void more(device uint *out [[buffer(0)]],
                 constant uint &by [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = out[i] * 3 + by;
}), "more");
  mt_Buffer *out = host_buffer(700 * 4);
  for (int way = 0; host_way(way); way++) {
    uint32_t by = 5, want = 0;
    memset(mt_buffer_contents(out), 0, 700 * 4);
    for (unsigned launches = 0; launches < 3; launches++) {
      mt_Arg args[3] = {{.kind = MT_ARG_BUFFER, .buffer = out, .size = 2800},
                        {.kind = MT_ARG_BYTES, .bytes = &by, .size = 4}};
      mt_Launch l = {.kernel = k, .args = args, .arg_count = 3,
                     .grid = {7, 1, 1}, .by_groups = true,
                     .group = {100, 1, 1}, .repeats = 1 + launches};
      mt_Timing t = {0};
      if (mt_launch(&l, &t, &error) != MT_OK) fail_msg("%s", error.text);
      assert_true(t.wall_ns > 0);
      for (unsigned r = 0; r <= launches; r++) want = want * 3 + by;
      by++;
    }
    for (int i = 0; i < 700; i++)
      assert_int_equal(((uint32_t *)mt_buffer_contents(out))[i], want);
  }
  mt_kernel_free(k);
  mt_buffer_free(out);
}

/* One buffer for two parameters: what was written is read again, and code that
** was made for two buffers is not taken for it. */
static void test_one_for_two(void **state) {
  (void)state;
  static const char source[] = MSL(
      kernel void k(device const uint *x, device uint *y,
                    uint i [[thread_position_in_grid]]) {
        uint s = i;
        for (int j = 0; j < 7; j++) {
          s = s * 3u + x[8 * i + uint(j)];
          y[8 * i + uint(j) + 1u] = s;
        }
      });
  enum { COUNT = 200 };
  for (int way = 0; host_way(way); way++) {
    mt_Kernel *k = host_kernel(source, "k");
    mt_Buffer *b[2] = {host_buffer(COUNT * 32), host_buffer(COUNT * 32)};
    for (int turn = 0; turn < 4; turn++) {
      uint32_t *x = b[0]->contents, *y = b[1]->contents, want[8];
      mt_Buffer *given[2] = {b[0], b[turn % 2 ? 0 : 1]};
      for (uint32_t n = 0; n < 8 * COUNT; n++) x[n] = n * 7, y[n] = 0;
      host_must_run(k, (mt_Size){COUNT, 1, 1}, (mt_Size){64, 1, 1}, given);
      const uint32_t *out = given[1]->contents;
      for (uint32_t n = 0; n < COUNT; n++) {
        uint32_t s = n;
        for (uint32_t j = 0; j < 8; j++)
          want[j] = turn % 2 ? (8 * n + j) * 7 : 0;
        for (uint32_t j = 0; j < 7; j++) {
          s = s * 3 + (turn % 2 ? want[j] : (8 * n + j) * 7);
          want[j + 1] = s;
        }
        assert_memory_equal(out + 8 * n, want, sizeof want);
      }
    }
    mt_buffer_free(b[0]), mt_buffer_free(b[1]);
    mt_kernel_free(k);
  }
}

static void test_listing(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(MSL(
kernel void twice(device float *out [[buffer(0)]],
                  uint i [[thread_position_in_grid]]) { out[i] *= 2; }
), "twice");
  for (int way = 0; host_way(way); way++)
    for (int what = 0; what < 2; what++) {
      mt_Str s = MT_STR_INIT;
      mt_Listing listing = what ? MT_LISTING_ASM : MT_LISTING_IR;
      if (mt_kernel_listing(k, listing, &s, &error) != MT_OK)
        fail_msg("%s", error.text);
      assert_non_null(strstr(s.text, "kernel twice"));
      assert_non_null(strstr(s.text, "out[i] *= 2")); /* the line of source */
      assert_non_null(strstr(s.text, way ? "as a vector" : "thread by thread"));
      mt_str_free(&s);
    }
  mt_kernel_free(k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_attributes),
      cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_threadgroup_arguments),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_simd_sum),
      cmocka_unit_test(test_control),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_repeats),
      cmocka_unit_test(test_one_for_two),
      cmocka_unit_test(test_listing),
  };
  return cmocka_run_group_tests(tests, open_host, close_host);
}
