// def summary(x):
//     odd = len([v for v in x if v % 2 == 1])
//     return sum(x) / len(x), min(x), odd
//
// Write it in C: one loop over x, three floats into out.
kernel void summary(device const int *x   [[buffer(0)]],
                    device float     *out [[buffer(1)]],
                    constant uint    &n   [[buffer(2)]]) {
  // your lines go here
}
