source = [=[
kernel void saxpy(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant float     &a [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
}]=]

-- All rounds at once is not one round with a larger a: not for the reader of
-- ys.
function compute(device, a, x, y, rounds)
  local queue = device:newCommandQueue()
  local library = device:newLibrary(source)
  local pipeline = device:newComputePipelineState(library:newFunction "saxpy")
  local xs = device:newBuffer(x, "shared")
  local ys = device:newBuffer(y, "shared")
  local commands = queue:commandBuffer()
  local encoder = commands:computeCommandEncoder()
  encoder:setComputePipelineState(pipeline)
  encoder:setBuffer(xs, 0, 0)
  encoder:setBuffer(ys, 0, 1)
  encoder:setBytes(a, 2)
  for _ = 1, rounds do encoder:dispatchThreads(#x, 256) end
  encoder:endEncoding()
  commands:commit()
  return ys:contents() -- before the GPU has finished
end
