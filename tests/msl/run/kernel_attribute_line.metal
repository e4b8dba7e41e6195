// section: 5.1 Functions
// construct: an attribute on a line of its own, with a macro inside
// grid: 8
// group: 1, 4, 8
// out: a float 8*16
#define SIDE 4u
[[max_total_threads_per_threadgroup(SIDE * SIDE)]]
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a[i] = SIDE * SIDE;
}
