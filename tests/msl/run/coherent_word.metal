// section: 4.8 Memory Coherency
// construct: coherent as a word before device
// grid: 4
// in: a float 1 2 3 4
// out: a float 2 3 4 5
#include <metal_stdlib>
using namespace metal;
struct Where { coherent device float *p; };
// before the space, after it, after the type, with a scope and without
inline void add(volatile coherent(system) device float *p, uint i) { p[i] = p[i] + 1; }
inline void add(device coherent(device) float *p, int i) { p[i] += 1; }
inline void add(float coherent(system) const device *, short) {}
kernel void test(volatile coherent(system) device float *a [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  device float *plain = (device float *)a;
  Where w = {plain};
  if (i % 2) w.p[i] += 1;
  else if (i == 0) add(a, i);
  else add(plain, int(i));
}
