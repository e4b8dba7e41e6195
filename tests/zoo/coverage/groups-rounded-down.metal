// 1000 / 256 groups are 3, and 232 elements are left over.
// run: --groups 3 --group 256 --arg a=int[1000] --arg b=int[1000] --arg c=int[1000] --arg n=1000
// fixed: --groups 4 --group 256 --arg a=int[1000] --arg b=int[1000] --arg c=int[1000] --arg n=1000
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void subtract(device const int *a [[buffer(0)]],
                     device const int *b [[buffer(1)]],
                     device int *c [[buffer(2)]],
                     constant uint &n [[buffer(3)]],
                     uint i [[thread_position_in_grid]]) {
  if (i < n) c[i] = a[i] - b[i];
}
