// section: 5.2 Function Arguments and Variables
// construct: a kernel template instantiated under a host_name
// grid: 2
// in: a float 1 2
// out: out float 5 10
#include <metal_stdlib>
using namespace metal;

template <typename T, int N>
[[kernel]] void scale(device const T *a [[buffer(0)]], device T *out [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  out[i] = a[i] * N;
}
template [[host_name("scale_by_5")]] kernel void scale<float, 5>(device const float *, device float *, uint);
