kernel void places(device uint *member [[buffer(0)]],
                   device uint *place  [[buffer(1)]],
                   uint i [[thread_position_in_grid]],
                   uint g [[thread_position_in_threadgroup]],
                   uint t [[threadgroup_position_in_grid]]) {
  member[i] = g;
  place[i] = t;
}
