// section: 1.5 Metal and C++17
// construct: functions without a return at their end, which give zero here
// grid: 8
// repeats: no
// out: a float 2 9 3 13 9 16 11 18
#include <metal_stdlib>
using namespace metal;
struct S { float a, b; int c[3]; };
float number(float x) { if (x > 0) return 1; }
int loop(int x) { while (x) { x--; } }
S object(int x) { if (x & 1) return S{1, 2, {3, 4, 5}}; }
S other(int x) { S r; r.a = x; }
float4 choice(int x) { switch (x) { case 0: return 1; case 1: return 2; } }
template <class T> T generic(T x) { if (x > 1) return x; }
float3x3 matrix(int x) { if (x > 100) return float3x3(1); }
bool yes(int x) { if (x > 2) return true; }
device float *place(device float *o, int x) { if (x >= 0) return o; }
int none() {}
half4 inner(int x) { for (int i = 0; i < x; i++) if (i == 2) return half4(i); }
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S q = object(i);
  a[i] = number(float(i) - 3) + loop(i) + q.a + q.c[2] + choice(i).y +
         generic(int(i)) + ::matrix(i)[1][1] + yes(i) + none() +
         float(inner(i).x) + other(i).b;
  place(a, i)[i] += 1;
}
