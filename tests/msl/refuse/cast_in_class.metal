#include <metal_stdlib>
using namespace metal;
struct Tile {
  float get(device float *p) { return ((threadgroup float *)p)[0]; }
};
kernel void k(device float *x [[buffer(0)]]) {
  Tile t;
  x[0] = t.get(x);
}
// expect: 4: converts between mismatching address spaces
