kernel void summary(device const int *x   [[buffer(0)]],
                    device float     *out [[buffer(1)]],
                    constant uint    &n   [[buffer(2)]]) {
  sum = 0, least = x[0]; // no types
  for v in x:
    sum += v
  out[0] = sum / len(x);
}
