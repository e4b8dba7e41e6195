source = [=[
kernel void saxpy(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant float     &a [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
}]=]

-- The list y after so many rounds of y = a * x + y.
function compute(device, a, x, y, rounds)
  local queue = device:newCommandQueue()
  local library = device:newLibrary(source)
  local pipeline = device:newComputePipelineState(library:newFunction "saxpy")
  local xs = device:newBuffer(x, "shared")
  local ys = device:newBuffer(y, "shared")
  for _ = 1, rounds do
    local commands = queue:commandBuffer()
    local encoder = commands:computeCommandEncoder()
    encoder:setComputePipelineState(pipeline)
    encoder:setBuffer(xs, 0, 0)
    encoder:setBuffer(ys, 0, 1)
    encoder:setBytes(a, 2)
    encoder:dispatchThreads(#x, 256)
    encoder:endEncoding()
    commands:commit()
    commands:waitUntilCompleted()
  end
  return ys:contents()
end
