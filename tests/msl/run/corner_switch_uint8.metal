// section: 1.5 Metal and C++17
// construct: switch on uchar and enum of uchar with default in the middle; goto-less nested breaks; do-while with continue
// grid: 1
// in: x uchar 1 2 3 255 2
// out: a int 241 12 3 1
#include <metal_stdlib>
using namespace metal;
enum class K : uchar { one = 1, two = 2 };
kernel void test(device const uchar *x [[buffer(0)]], device int *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 5;
  a += i * 4;
  int s = 0;
  for (int k = 0; k < 5; k++) { switch ((K)x[k]) { case K::one: s += 1; break; default: s += 100; case K::two: s += 10; break; } }
  a[0] = s; int n = 0, c = 0; do { n++; if (n % 2) continue; c += n; } while (n < 7); a[1] = c; uint u = 3;
  int loops = 0; while (u-- > 0) loops++; a[2] = loops; a[3] = u == 4294967295u;
}
