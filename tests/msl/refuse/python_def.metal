def add(a, b):
    return a + b
// expect: 1: kernel void name
