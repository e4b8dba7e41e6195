// section: 1.5 Metal and C++17
// construct: operators of a struct: +, *, ==, [], (), unary -, +=, conversion
// grid: 1
// out: o int 4 6 3 8 1 -4 20 7 4
#include <metal_stdlib>
using namespace metal;
struct P {
  int x, y;
  P operator+(P o) const { return P{x + o.x, y + o.y}; }
  P operator-() const { return P{-x, -y}; }
  thread P &operator+=(P o) thread {
    x += o.x;
    y += o.y;
    return *this;
  }
  int operator[](int k) const { return k ? y : x; }
  int operator()(int k) const { return k * x; }
  explicit operator int() const { return x + y; }
};
static P operator*(P p, int s) { return P{p.x * s, p.y * s}; }
static bool operator==(P a, P b) { return a.x == b.x && a.y == b.y; }
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  P a{1, 2}, b{3, 4};
  P c = a + b, d = b * 2;
  o[0] = c.x;
  o[1] = c.y;
  o[2] = b[0];
  o[3] = d[1];
  o[4] = a == P{1, 2};
  o[5] = (-b).y;
  a += b;
  o[6] = a(5);
  o[7] = int(b);
  o[8] = a.x;
}
