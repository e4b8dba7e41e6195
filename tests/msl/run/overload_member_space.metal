// section: 4 Address Spaces
// construct: members and operators that differ by the address space of their object
// grid: 4
// in: a float 1 2 3 4
// out: b float 12 23 34 45
#include <metal_stdlib>
using namespace metal;
struct Box {
  float v;
  float get() const thread { return v; }
  float get() const device { return v * 10; }
};
float operator+(device const Box &x, thread const Box &y) { return x.get() + y.get(); }
float operator+(thread const Box &x, thread const Box &y) { return -1; }
kernel void test(device Box *a [[buffer(0)]], device float *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Box mine = a[i];
  mine.v += 1;
  b[i] = a[i] + mine;
}
