source = [=[
kernel void saxpy(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant float     &a [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
}]=]

-- The list of the answers a * x + y, one for each job.
function compute_all(device, jobs)
  local queue = device:newCommandQueue()
  local library = device:newLibrary(source)
  local pipeline = device:newComputePipelineState(library:newFunction "saxpy")
  local commands = queue:commandBuffer()
  local encoder = commands:computeCommandEncoder()
  encoder:setComputePipelineState(pipeline)
  local answers = {}
  for i, job in ipairs(jobs) do
    answers[i] = device:newBuffer(job.y, "shared")
    encoder:setBuffer(device:newBuffer(job.x, "shared"), 0, 0)
    encoder:setBuffer(answers[i], 0, 1)
    encoder:setBytes(job.a, 2)
    encoder:dispatchThreads(#job.x, 256)
  end
  encoder:endEncoding()
  commands:commit()
  commands:waitUntilCompleted()
  for i, buffer in ipairs(answers) do answers[i] = buffer:contents() end
  return answers
end
