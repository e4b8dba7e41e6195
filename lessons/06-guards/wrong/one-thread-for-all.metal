kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant uint      &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  if (i > 0) return;
  for (uint k = 0; k < n; k++) y[k] = 2 * x[k];
}
