// section: 4 Address Spaces
// construct: functions that differ by address space alone, each with its own body
// grid: 8
// group: 8, 4
// in: a float 1 2 3 4 5 6 7 8
// arg: n float 5
// out: b float 1121 2121 3121 4121 5121 6121 7121 8121
#include <metal_stdlib>
using namespace metal;
constant float table[2] = {7, 9};
float where(device const float *p) { return *p * 1000; }
float where(threadgroup const float *p) { return *p * 100; }
float where(constant float *p) { return *p * 4; }
float where(thread const float &p) { return p; }
float where(constant float &p) { return p * 4; }
template <typename T, int N> T many(device T *p) { return p[0] * N; }
template <typename T, int N> T many(threadgroup T *p) { return p[0] + N; }
kernel void test(device float *a [[buffer(0)]], device float *b [[buffer(1)]], constant float &n [[buffer(2)]],
                 uint i [[thread_position_in_grid]], uint l [[thread_position_in_threadgroup]]) {
  threadgroup float t[8];
  t[l] = 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float mine = 1;
  float sum = where(a + i) + where(t + l) + where(mine) + where(n);
  sum += many<float, 0>(a) + many<float, 0>(&t[l]) - 1;
  b[i] = sum + where(table) - 28;
}
