kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  x[i] = 3 * x[i]; // x is only read
}
