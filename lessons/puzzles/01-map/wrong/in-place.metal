kernel void map(device const float *x [[buffer(0)]],
                device float       *y [[buffer(1)]],
                uint i [[thread_position_in_grid]]) {
  x[i] += 10;
}
