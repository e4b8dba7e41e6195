kernel void find(device const int *x  [[buffer(0)]],
                 device const int *q  [[buffer(1)]],
                 device uint *place   [[buffer(2)]],
                 constant uint &n     [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  uint count = 0;
  while (count < n && x[count] < q[i]) count++;
  place[i] = count;
}
