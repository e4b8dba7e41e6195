kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  device float *to = y + i;
  *to = 3 * *(x + i);
}
