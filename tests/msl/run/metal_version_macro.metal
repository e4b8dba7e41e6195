// section: 1.6 Compiler and Preprocessor
// construct: __METAL_VERSION__, __METAL__ and __has_include
// grid: 1
// out: o int 1 1 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  #if defined(__METAL_VERSION__) && __METAL_VERSION__ >= 300
  o[0] = 1;
#endif
#ifdef __METAL__
  o[1] = 1;
#endif
#if __has_include(<metal_stdlib>)
  o[2] = 1;
#endif
}
