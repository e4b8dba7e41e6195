kernel void places(device uint *member [[buffer(0)]],
                   device uint *place  [[buffer(1)]],
                   uint i [[thread_position_in_grid]],
                   uint s [[threads_per_threadgroup]]) {
  member[i] = i / s; // the last group may be smaller
  place[i] = i % s;
}
