kernel void places(device uint *member [[buffer(0)]],
                   device uint *place  [[buffer(1)]],
                   uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]],
                   // a SIMD-group is not a threadgroup
                   uint t [[thread_index_in_simdgroup]]) {
  member[i] = g;
  place[i] = t;
}
