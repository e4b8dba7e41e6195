// The leftmost thread of a stencil has no left neighbour: index -1.
// run: --grid 300 --group 64 --arg u=float[300] --arg v=float[300] --arg n=300
#include <metal_stdlib>
using namespace metal;

kernel void diffuse(device const float *u [[buffer(0)]],
                    device float *v [[buffer(1)]],
                    constant int &n [[buffer(2)]],
                    uint id [[thread_position_in_grid]]) {
  int i = int(id);
  int right = i + 1 < n ? i + 1 : i;
#ifdef FIXED
  int left = i > 0 ? i - 1 : i;
#else
  int left = i - 1;
#endif
  v[i] = 0.25f * u[left] + 0.5f * u[i] + 0.25f * u[right]; // !out-of-bounds
}
