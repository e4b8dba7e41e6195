// wrong: what is left at the end is not looked at
static void look(int v, thread int &sum, thread int &least, thread uint &odd) {
  sum += v;
  if (v < least) least = v;
  if (v % 2 != 0) odd++;
}

kernel void summary(device const int *x   [[buffer(0)]],
                    device float     *out [[buffer(1)]],
                    constant uint    &n   [[buffer(2)]]) {
  int sum = 0, least = 2147483647;
  uint odd = 0;
  for (uint k = 0; k < n / 4; k++) {
    int4 v = ((device const int4 *)x)[k];
    look(v.x, sum, least, odd);
    look(v.y, sum, least, odd);
    look(v.z, sum, least, odd);
    look(v.w, sum, least, odd);
  }
  out[0] = float(sum) / n;
  out[1] = least;
  out[2] = odd;
}
