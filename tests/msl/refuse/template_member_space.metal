#include <metal_stdlib>
using namespace metal;
template <typename T> struct Tile {
  threadgroup T *data;
  void set(device T *p) { data = p; }
};
kernel void k(device float *x [[buffer(0)]]) {
  Tile<float> t;
  t.set(x);
  x[0] = t.data[0];
}
// expect: 5: cannot take an address in the device address space
