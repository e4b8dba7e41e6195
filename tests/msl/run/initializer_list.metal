// section: 1.5 Metal and C++17
// construct: initializer_list, as generated code has it
// grid: 4
// out: a float 6 6 6 6
#include <metal_stdlib>
using namespace metal;
struct Sum {
  float total;
  thread Sum &operator=(initializer_list<float> parts) thread {
    total = 0;
    for (float p : parts) total += p;
    return *this;
  }
};
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Sum s;
  s = {1.0f, 2.0f, 3.0f};
  a[i] = s.total;
}
