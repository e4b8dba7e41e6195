// The width in the template is not that of the data.
// run: --kernel k --grid 16,4 --group 16,4 --arg x=float[70] --arg y=float[64]
#include <metal_stdlib>
using namespace metal;

template <int W> float at(device const float *x, uint2 p) { return x[p.y * W + p.x]; } // !out-of-bounds
kernel void k(device const float *x, device float *y, uint2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  y[p.y * 16 + p.x] = at<16>(x, p);
#else
  y[p.y * 16 + p.x] = at<20>(x, p);
#endif
}
