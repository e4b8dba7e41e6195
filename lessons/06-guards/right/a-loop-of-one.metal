kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant uint      &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  for (uint k = i; k < n && k < i + 1; k++) y[k] = x[k] * 2;
}
