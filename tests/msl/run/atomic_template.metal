// section: 6.15 Atomic Functions
// construct: atomic<T> as a template
// grid: 32
// in: c uint 3
// out: c uint 35
#include <metal_stdlib>
using namespace metal;

template <typename T> void bump(device atomic<T> *p, T by) {
  atomic_fetch_add_explicit(p, by, memory_order_relaxed);
}
kernel void test(device atomic<uint> *c [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bump(c, 1u);
}
