kernel void summary(device const int *x   [[buffer(0)]],
                    device float     *out [[buffer(1)]],
                    constant uint    &n   [[buffer(2)]]) {
  int sum = 0;
  for (uint i = 0; i < n; i++) sum += x[i];
  out[0] = float(sum) / n;
  int least = x[0];
  for (uint i = 1; i < n; i++) least = x[i] < least ? x[i] : least;
  out[1] = least;
  uint odd = 0;
  for (uint i = 0; i < n; i++) odd += x[i] % 2 != 0;
  out[2] = odd;
}
