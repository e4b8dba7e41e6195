// section: 4 Address Spaces
// construct: program-scope constants computed by functions that are not constexpr
// repeats: no
// grid: 3
// out: out float within 1e-6: 0.6 0.0 0.8
// out: more int 55 4 9
#include <metal_stdlib>
using namespace metal;
int sum(int n) {
  int s = 0;
  for (int i = 1; i <= n; i++) s += i;
  return s;
}
struct Square {
  int side;
  Square(int a) { side = a; }
  int area() const constant { return side * side; }
};
constant float3 direction = normalize(float3(3, 0, 4));
constant int total = sum(10);
constant Square squares[2] = {Square(2), Square(3)};
kernel void f(device float *out, device int *more, uint i [[thread_position_in_grid]]) {
  out[i] = direction[i];
  more[i] = i == 0 ? total : squares[i - 1].area();
}
