// section: 6.15 Atomic Functions
// construct: atomics: fetch functions return the old value, for int and uint; exchange; compare; on threadgroup memory
// grid: 1
// in: a int 10 0 0 0 0 0 0 0 0 0 0 0 0 0
// out: a int 200 10 5 -100 7 0 55 55 3 0 1 1 77 77
#include <metal_stdlib>
using namespace metal;
kernel void test(device int *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a += i * 14;
  device atomic_int *p = (device atomic_int *)a; device atomic_uint *u = (device atomic_uint *)(a + 8);
  a[1] = atomic_fetch_add_explicit(p, -5, memory_order_relaxed);
  a[2] = atomic_fetch_min_explicit(p, -100, memory_order_relaxed);
  a[3] = atomic_fetch_max_explicit(p, 7, memory_order_relaxed);
  a[4] = atomic_exchange_explicit(p, 55, memory_order_relaxed);
  int e = 54;
  a[5] = atomic_compare_exchange_weak_explicit(p, &e, 1, memory_order_relaxed, memory_order_relaxed);
  a[6] = e; a[7] = atomic_fetch_xor_explicit(p, 0xff, memory_order_relaxed);
  a[9] = atomic_fetch_sub_explicit(u, 1u, memory_order_relaxed);
  a[10] = atomic_fetch_max_explicit(u, 3u, memory_order_relaxed) == 4294967295u;
  a[11] = atomic_fetch_min_explicit(u, 3u, memory_order_relaxed) == 4294967295u;
  atomic_store_explicit(p + 12, 77, memory_order_relaxed);
  a[13] = atomic_load_explicit(p + 12, memory_order_relaxed);
}
