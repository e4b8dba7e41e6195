// y[i] should be three times x[i]. Every thread has its own i, and does one
// element. Write the missing line, save, and type check() in Mettle.

kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  // your line goes here
}
