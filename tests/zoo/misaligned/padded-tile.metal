// Rows of 17 avoid bank conflicts, and put every second row out of line for float4.
// run: --grid 64 --group 64 --arg x=float[256] --arg y=float[256]
#include <metal_stdlib>
using namespace metal;

static void put(threadgroup float *at, float4 v) {
  *(threadgroup float4 *)at = v; // !misaligned
}

kernel void rows(device const float *x [[buffer(0)]],
                 device float *y [[buffer(1)]],
                 uint t [[thread_position_in_threadgroup]]) {
#ifdef FIXED
  threadgroup float4 tile[16][5];
  tile[t / 4][t % 4] = ((device const float4 *)x)[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  ((device float4 *)y)[t] = tile[15 - t / 4][t % 4];
#else
  threadgroup float tile[16][17];
  uint row = t / 4, column = 4 * (t % 4);
  put(&tile[row][column], ((device const float4 *)x)[t]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  ((device float4 *)y)[t] = *(threadgroup float4 *)&tile[15 - row][column]; // !misaligned
#endif
}
