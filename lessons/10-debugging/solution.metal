kernel void find(device const int *x  [[buffer(0)]],
                 device const int *q  [[buffer(1)]],
                 device uint *place   [[buffer(2)]],
                 constant uint &n     [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  uint low = 0, high = n;
  while (low < high) {
    uint middle = (low + high) / 2;
    if (x[middle] < q[i])
      low = middle + 1;
    else
      high = middle;
  }
  place[i] = low;
}
