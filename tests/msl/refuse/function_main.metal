#include <metal_stdlib>
using namespace metal;
int main() { return 0; }
// expect: 3: cannot be named 'main'
