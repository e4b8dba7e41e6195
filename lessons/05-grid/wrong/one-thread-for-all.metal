kernel void places(device uint *member [[buffer(0)]],
                   device uint *place  [[buffer(1)]],
                   uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]],
                   uint size [[dispatch_threads_per_threadgroup]],
                   uint all [[threads_per_grid]]) {
  if (i > 0) return;
  for (uint k = 0; k < all; k++) {
    member[k] = k / size;
    place[k] = k % size;
  }
}
