// section: 4.2 Constant Address Space
// repeats: no
// construct: tables of structs, of vectors, of matrices and of arrays
// grid: 2
// out: o float 13 24
#include <metal_stdlib>
using namespace metal;
struct Item { float2 at; float weight; };
constant Item table[2] = {{{1, 2}, 3}, {{4, 5}, 4}};
constant int grid[2][2] = {{1, 2}, {3, 4}};
constant float2 corner[] = {float2(0, 1), float2(5, 6)};
constant float2x2 turn = float2x2(float2(0, 0), float2(1, 1));
kernel void k(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  o[i] = table[i].weight * table[i].at.y + grid[i][1] + corner[1 - i].x + turn[0][i];
}
