// section: 5.2 Function, Variable, and Parameter Attributes
// construct: annotations of a person's own say nothing to the compiler
// grid: 4
// out: a float 1 1 1 1
#include <metal_stdlib>
using namespace metal;
[[clang::annotate("kernel|other|buffer")]] void other(device float *x) { x[0] = 2; }
__attribute__((annotate("host|" "name"))) float one() { return 1; }
kernel void test(device float *a [[buffer(0)]] [[clang::annotate("param|constant|value|const|9|b")]],
                 uint i [[thread_position_in_grid]]) {
  float y [[clang::annotate("space|threadgroup|own|3")]] = one();
  a[i] = y;
}
