// The last rows of a texture are not in the grid.
// run: --grid 16,12 --group 8,4 --arg out=rgba8unorm[16,14]
// fixed: --grid 16,14 --group 8,4 --arg out=rgba8unorm[16,14]
#include <metal_stdlib>
using namespace metal;

kernel void fill(texture2d<float, access::write> out [[texture(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out.write(float4(1), p); // !coverage
}
