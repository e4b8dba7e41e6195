// section: 6.15 Atomic Functions
// construct: atomic_float: fetch_add returns the old value, exchange, compare_exchange, load, store
// grid: 1
// in: a float 1.5 0 0 0 0 0
// out: a float 4 1.5 2 0 1 4
#include <metal_stdlib>
using namespace metal;
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a += i * 6;
  device atomic_float *p = (device atomic_float *)a;
  a[1] = atomic_fetch_add_explicit(p, 0.5f, memory_order_relaxed);
  a[2] = atomic_fetch_sub_explicit(p, 2.0f, memory_order_relaxed);
  a[3] = atomic_exchange_explicit(p, 9.0f, memory_order_relaxed); float e = 9;
  a[4] = atomic_compare_exchange_weak_explicit(p, &e, 4.0f, memory_order_relaxed, memory_order_relaxed) || e == 9;
  a[5] = atomic_load_explicit(p, memory_order_relaxed);
}
