// section: 4 Address Spaces
// construct: arrays as parameters of templates, and a function constant that is static constexpr too
// grid: 2
// group: 2
// constant: 0 int 3
// in: x float 1 2
// in: s long 10 100
// out: o float 120 123
#include <metal_stdlib>
using namespace metal;
#define FIXED static constant constexpr const
FIXED int times [[function_constant(0)]];
template <typename T> T both(threadgroup T tile[2]) { return tile[0] + tile[1]; }
template <typename I = long> I place(uint2 at, constant const long strides[2]) { return at.x * I(strides[0]) + at.y * I(strides[1]); }
template <typename T, ushort N> struct Sum {
  threadgroup T *shared;
  Sum(threadgroup T shared[N]) { this->shared = shared; }
  T all() { return both(shared); }
};
kernel void k(device const float *x [[buffer(0)]], constant long *s [[buffer(1)]], device float *o [[buffer(2)]],
              uint t [[thread_position_in_threadgroup]], uint i [[thread_position_in_grid]]) {
  threadgroup float tile[2];
  tile[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[i] = 3 * Sum<float, 2>(tile).all() + place(uint2(0, 1), s) + 11 + i * times;
}
