kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant uint      &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  // those past the end do the last one's work again
  uint at = i < n ? i : n;
  if (at == n) return;
  y[at] = 2.0f * x[at];
}
