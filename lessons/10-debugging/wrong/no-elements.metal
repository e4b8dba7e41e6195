kernel void find(device const int *x  [[buffer(0)]],
                 device const int *q  [[buffer(1)]],
                 device uint *place   [[buffer(2)]],
                 constant uint &n     [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  int low = 0, high = int(n) - 1;
  do { // reads x[0] even if there is none
    int middle = (low + high) / 2;
    if (x[middle] < q[i]) low = middle + 1;
    else high = middle - 1;
  } while (low <= high);
  place[i] = low;
}
