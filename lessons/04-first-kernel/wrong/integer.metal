kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  int v = x[i]; // the fraction is lost
  y[i] = 3 * v;
}
