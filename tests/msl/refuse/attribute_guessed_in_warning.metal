kernel void f(device float *a [[return]], ,) {}
// expect: 1: expected parameter declarator
