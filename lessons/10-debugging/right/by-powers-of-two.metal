kernel void find(device const int *x  [[buffer(0)]],
                 device const int *q  [[buffer(1)]],
                 device uint *place   [[buffer(2)]],
                 constant uint &n     [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  uint count = 0;
  for (uint jump = 1u << 31; jump > 0; jump /= 2)
    if (jump <= n && count <= n - jump && x[count + jump - 1] < q[i])
      count += jump;
  place[i] = count;
}
