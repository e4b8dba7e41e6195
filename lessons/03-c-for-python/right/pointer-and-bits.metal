kernel void summary(device const int *x   [[buffer(0)]],
                    device float     *out [[buffer(1)]],
                    constant uint    &n   [[buffer(2)]]) {
  device const int *end = x + n;
  float sum = 0, least = 1e9f, odd = 0;
  for (device const int *p = x; p != end; ++p) {
    int v = *p;
    sum += v;
    least = v < least ? v : least;
    odd += v & 1; // the last bit, of negative numbers too
  }
  out[0] = sum / n;
  out[1] = least;
  out[2] = odd;
}
