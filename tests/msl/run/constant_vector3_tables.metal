// section: 4.2 constant Address Space
// construct: tables of vectors of three, alone, in structs and beside others
// grid: 4
// repeats: no
// out: o float 5 20 9 40
// out: p float 2.5 6.5 0 14.5
// out: q uint 3 33 253 66
#include <metal_stdlib>
using namespace metal;

struct Row {
  char3 c;
  float3 v;
  float w;
};

constant float3 table[4] = {{1, 5, 3}, {10, 20, 30}, {7, 9, 8}, {40, 40, 50}};
constant Row rows[4] = {{{1, 2, 3}, {1, 2, 2.5}, 4}, {{1, 2, 33}, {5, 6, 6.5}, 8},
                        {0, 0, 0}, {{4, 5, 66}, {13, 14, 14.5}, 16}};

kernel void k(device float *o [[buffer(0)]], device float *p [[buffer(1)]], device uint *q [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  o[i] = table[i].y;
  p[i] = rows[i].v.z;
  q[i] = i == 2 ? uint(rows[i].w) + 253 : uint(rows[i].c.z);
}
