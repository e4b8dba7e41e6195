// section: 4 Address Spaces
// construct: a two-dimensional threadgroup array: a transpose
// grid: 8 8
// group: 8 8
// in: a int 0..63
// out: out int 0 8 16 24 32 40 48 56 1 9 17 25 33 41 49 57 2 10 18 26 34 42 50 58 3 11 19 27 35
//   43 51 59 4 12 20 28 36 44 52 60 5 13 21 29 37 45 53 61 6 14 22 30 38 46 54 62 7 15 23 31 39
//   47 55 63
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]], device int *out [[buffer(1)]],
                 uint2 p [[thread_position_in_threadgroup]]) {
  threadgroup int tile[8][9];
  tile[p.y][p.x] = a[p.y * 8 + p.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[p.y * 8 + p.x] = tile[p.x][p.y];
}
