-- Whole threadgroups, and a guard in the kernel; the answer in a third buffer.
source = [=[
kernel void saxpy(device const float *x [[buffer(0)]],
                  device const float *y [[buffer(1)]],
                  constant float     &a [[buffer(2)]],
                  constant uint      &n [[buffer(3)]],
                  device float       *z [[buffer(4)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < n) z[i] = a * x[i] + y[i];
}]=]

function compute(device, a, x, y)
  local queue = device:newCommandQueue()
  local library = device:newLibrary(source)
  local pipeline = device:newComputePipelineState(library:newFunction "saxpy")
  local sums = device:newBuffer(#x, "shared")
  local commands = queue:commandBuffer()
  local encoder = commands:computeCommandEncoder()
  encoder:setBytes(a, 2)
  encoder:setBytes(#x, 3)
  encoder:setBuffer(device:newBuffer(y, "private"), 0, 1)
  encoder:setBuffer(device:newBuffer(x, "private"), 0, 0)
  encoder:setBuffer(sums, 0, 4)
  encoder:setComputePipelineState(pipeline)
  encoder:dispatchThreadgroups((#x + 63) // 64, 64)
  encoder:endEncoding()
  commands:commit()
  commands:waitUntilCompleted()
  return { table.unpack(sums:contents()) }
end
