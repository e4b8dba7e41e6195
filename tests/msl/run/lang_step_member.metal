// section: 3.1 Scalar and Vector Operators
// construct: ++ and -- on vectors that are members
// grid: 1
// out: a float 2 5 3 9
#include <metal_stdlib>
using namespace metal;
struct Part { float2 v; uchar2 c; };
struct Whole { Part part[2]; uint3 count; };
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Whole w;
  thread Whole *p = &w;
  w.part[0].v = float2(1, 4);
  w.part[1].c = uchar2(4, 4);
  w.count = uint3(10);
  w.part[0].v++;
  p->part[1].c--;
  --p->count;
  w.count.x++;
  float2 before = (*p).part[0].v++;
  a[i * 4] = before.x;
  a[i * 4 + 1] = before.y;
  a[i * 4 + 2] = w.part[1].c.y;
  a[i * 4 + 3] = w.count.y;
}
