kernel void places(device uint *member [[buffer(0)]],
                   device uint *place  [[buffer(1)]],
                   uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]],
                   uint size [[dispatch_threads_per_threadgroup]]) {
  member[i] = i / size;
  place[i] = i - g * size;
}
