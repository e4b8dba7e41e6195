kernel void f(device float *a, , uint i) { a[i] = 1; }
// expect: 1: expected parameter declarator
