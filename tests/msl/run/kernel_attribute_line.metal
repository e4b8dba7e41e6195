// section: 5.1 Functions
// construct: an attribute between kernel and its type, with a macro inside
// grid: 8
// group: 1, 4, 8
// out: a float 8*16
#define SIDE 4u
kernel
[[max_total_threads_per_threadgroup(SIDE * SIDE)]]
void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a[i] = SIDE * SIDE;
}
