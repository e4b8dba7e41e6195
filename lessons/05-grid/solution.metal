kernel void places(device uint *member [[buffer(0)]],
                   device uint *place  [[buffer(1)]],
                   uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]]) {
  member[i] = g;
  place[i] = t;
}
