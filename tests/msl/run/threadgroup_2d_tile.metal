// section: 4.4 Threadgroup Address Space
// construct: a two-dimensional tile with a border, transposed
// grid: 4 4
// group: 4 4
// out: o uint = (i % 4) * 4 + i // 4
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], uint2 p [[thread_position_in_grid]], uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup uint tile[4][5];
  tile[t.y][t.x] = p.y * 4 + p.x;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[p.y * 4 + p.x] = tile[t.x][t.y];
}
