#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_int *a [[buffer(0)]]) {
  atomic_fetch_add_explicit(a, 1);
}
// expect: 4: It is called as atomic_fetch_add_explicit
