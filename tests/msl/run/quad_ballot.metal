// section: 6.9.3 Quad-Group Functions
// construct: quad_ballot
// grid: 64
// group: 32, 64
// in: a uint 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2
//   0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0
// out: out ulong 9 9 9 9 4 4 4 4 2 2 2 2 9 9 9 9 4 4 4 4 2 2 2 2 9 9 9 9 4 4 4 4 2 2 2 2 9 9 9 9
//   4 4 4 4 2 2 2 2 9 9 9 9 4 4 4 4 2 2 2 2 9 9 9 9
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device ulong *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = (ulong)(quad_vote::vote_t)quad_ballot(a[i] == 0);
}
