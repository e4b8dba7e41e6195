kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant uint      &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < n - 1) y[i] = 2 * x[i];
}
