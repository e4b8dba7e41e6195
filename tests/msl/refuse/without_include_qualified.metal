kernel void k(device float *x) {
  x[0] = metal::max(x[1], 2.0f);
}
// expect: 2: metal_stdlib|namespace
