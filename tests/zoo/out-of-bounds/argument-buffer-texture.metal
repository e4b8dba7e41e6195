// A texture in a struct, drawn at twice its size.
// run: --grid 32,32 --group 8,8 --arg page.image=r32float[16,16] --arg page.out=float[1024]
#include <metal_stdlib>
using namespace metal;

struct Page {
  texture2d<float, access::read> image;
  device float *out;
};

kernel void enlarge(constant Page &page [[buffer(0)]],
                    uint2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  uint2 from = p / 2;
#else
  uint2 from = p;
#endif
  page.out[p.y * 32 + p.x] = page.image.read(from).r; // !out-of-bounds
}
