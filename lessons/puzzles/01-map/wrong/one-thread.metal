kernel void map(device const float *x [[buffer(0)]],
                device float       *y [[buffer(1)]],
                uint i [[thread_position_in_grid]]) {
  y[i] = 0;
  for (uint k = 0; k <= i; k++) y[i] = x[k] + 10;
}
