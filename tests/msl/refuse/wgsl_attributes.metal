#include <metal_stdlib>
using namespace metal;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  data[id.x] = data[id.x] * 2.0;
}
// expect: 3: double brackets
