kernel void summary(device const int *x   [[buffer(0)]],
                    device float     *out [[buffer(1)]],
                    constant uint    &n   [[buffer(2)]]) {
  int sum = 0, least = x[0];
  uint odd = 0;
  for (uint i = 0; i < n; i++) {
    int v = x[i];
    sum += v;
    if (v < least) least = v;
    if (v % 2 == 1) odd++; // -3 % 2 is -1 in C
  }
  out[0] = float(sum) / n;
  out[1] = least;
  out[2] = odd;
}
