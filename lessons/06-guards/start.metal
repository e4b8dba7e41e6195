// Launched in whole groups of 64, so there are threads without an element.
// x and y have n elements each. Give the kernel a guard.

kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant uint      &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = 2 * x[i];
}
