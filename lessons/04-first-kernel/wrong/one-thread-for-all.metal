kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]],
                  uint all [[threads_per_grid]]) {
  if (i > 0) return;
  for (uint k = 0; k < all; k++) y[k] = 3 * x[k];
}
