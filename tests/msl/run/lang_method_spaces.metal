// section: 4 Address Spaces
// repeats: no
// construct: methods for device, constant, threadgroup and thread objects
// grid: 2
// in: d int 10 20
// in: c int 5
// out: o int 1215 1225
#include <metal_stdlib>
using namespace metal;
struct S {
  int v;
  int get() const device { return v; }
  int get() const constant { return v; }
  int get() const thread { return v + 200; }
  int get() const threadgroup { return v + 1000; }
};
kernel void k(device S *d [[buffer(0)]], constant S &c [[buffer(1)]], device int *o [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  threadgroup S t;
  t.v = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  S own = S{-200};
  o[i] = d[i].get() + c.get() + own.get() + t.get() + 200;
}
