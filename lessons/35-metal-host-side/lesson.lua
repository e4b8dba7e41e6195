-- A model of Metal's host side: its methods have the names of metal-cpp, it
-- objects to what Metal's validation objects to, and the GPU finishes when it
-- is waited for, so that what is read before is old.
local function object(name, methods)
  return setmetatable(methods, { __index = function(_, key)
    error(("%s has no method '%s'"):format(name, tostring(key)), 0)
  end })
end

local function need(good, sentence, ...)
  if not good then error(sentence:format(...), 0) end
end

local function new_buffer(values, mode)
  need(mode == "shared" or mode == "private", "newBuffer: the storage mode is \"shared\" or \"private\", not %s", tostring(mode))
  need(type(values) == "table" or math.type(values) == "integer", "newBuffer wants a list of numbers, or how many")
  local n = type(values) == "table" and #values or values
  need(n > 0, "newBuffer: a buffer of no elements")
  local seen = {}
  for i = 1, n do seen[i] = type(values) == "table" and values[i] or 0 end
  local memory = gpu.buffer(seen)
  return object("a buffer", { memory = memory, arrive = function()
    for i = 1, n do seen[i] = memory[i - 1] end
  end, contents = function()
    need(mode == "shared", "contents() of a private buffer is null: only the GPU sees it")
    return seen
  end })
end

-- What was encoded, as a launch of Mettle's.
local function launch_of(bound, pipeline, words)
  for i, p in ipairs(pipeline.params) do
    if p.kind ~= "builtin" then
      need(bound[p.index] ~= nil, "dispatch: '%s' is not bound: nothing was set at index %d", p.name, p.index)
      words[i] = bound[p.index].memory or bound[p.index].value
    end
  end
  return words
end

local function new_encoder(commands)
  local bound, pipeline, open = {}, nil, true
  local function still() need(open, "the encoder is used after endEncoding") end
  local function dispatch(name, words)
    still()
    need(pipeline, "%s: no pipeline is set: setComputePipelineState comes before", name)
    need(math.type(words.group) == "integer"
      and math.type(words.grid or words.groups) == "integer",
      "%s wants two whole numbers", name)
    commands.list[#commands.list + 1] = { pipeline = pipeline,
      launch = launch_of(bound, pipeline, words) }
  end
  return object("the encoder", {
    setComputePipelineState = function(_, p) still(); pipeline = p.kernel end,
    setBuffer = function(_, buffer, offset, index)
      still()
      need(type(buffer) == "table" and rawget(buffer, "memory"), "setBuffer wants a buffer, an offset in bytes and an index")
      need(offset == 0, "setBuffer: an offset of %s bytes; the order is buffer, offset, index", tostring(offset))
      bound[index or -1] = { memory = buffer.memory }
    end,
    setBytes = function(_, value, index)
      still()
      need(type(value) == "number" and math.type(index) == "integer", "setBytes wants a number and an index")
      bound[index] = { value = value }
    end,
    dispatchThreads = function(_, grid, group)
      dispatch("dispatchThreads", { grid = grid, group = group })
    end,
    dispatchThreadgroups = function(_, groups, group)
      dispatch("dispatchThreadgroups", { groups = groups, group = group })
    end,
    endEncoding = function() still(); open, commands.open = false, false end,
  })
end

local function run_list(list)
  for _, one in ipairs(list) do
    local launch = one.launch
    local found = check(table.move(launch, 1, #one.pipeline.params, 2,
      { one.pipeline, grid = launch.grid, groups = launch.groups,
        group = launch.group }))
    if not found.ok then error("the kernel goes wrong: " .. found[1].message, 0) end
    one.pipeline(one.launch)
  end
end

local function new_commands(buffers, state)
  local commands, committed = { list = {}, open = false }, false
  return object("the command buffer", {
    computeCommandEncoder = function()
      need(not committed, "computeCommandEncoder after commit")
      need(not commands.open, "a second encoder while the first is open")
      commands.open, state.made = true, state.made + 1
      return new_encoder(commands)
    end,
    commit = function()
      need(not committed, "the command buffer is committed twice")
      need(not commands.open, "commit: the encoder is still open: endEncoding comes first")
      committed, state.commits = true, state.commits + 1
    end,
    waitUntilCompleted = function()
      need(committed, "waitUntilCompleted: it would wait for ever, since nothing was committed")
      run_list(commands.list)
      commands.list = {}
      for _, b in ipairs(buffers) do b.arrive() end
    end,
  })
end

-- The device, how often something was committed to it, and how many objects
-- were made.
local function new_device()
  local buffers, state = {}, { commits = 0, made = 0 }
  local function count() state.made = state.made + 1 end
  return object("the device", {
    newCommandQueue = function()
      count()
      return object("the queue", { commandBuffer = function()
        count()
        return new_commands(buffers, state)
      end })
    end,
    newLibrary = function(_, source)
      count()
      local library = gpu.library(source)
      return object("the library", { newFunction = function(_, name)
        count()
        return { kernel = library:kernel(name) }
      end })
    end,
    newComputePipelineState = function(_, f)
      count()
      need(type(f) == "table" and f.kernel, "newComputePipelineState wants a function of a library")
      return f
    end,
    newBuffer = function(_, values, mode)
      count()
      buffers[#buffers + 1] = new_buffer(values, mode)
      return buffers[#buffers]
    end,
  }), state
end

local trials = { { 2, { 3 }, { 1 } }, { -1, { 1, 2, 3 }, { 5, 5, 5 } },
  { 0.5, {}, {} } }
for i = 1, 100 do trials[3][2][i], trials[3][3][i] = i, 1000 - i end

local function try(run, a, x, y)
  local story = ("a = %g and %d element%s"):format(a, #x, #x == 1 and "" or "s")
  local device, state = new_device()
  local ok, got = pcall(run, device, a, x, y)
  if not ok then
    return ("for %s: %s"):format(story, (tostring(got):gsub("^%S+:%d+: ", "")))
  end
  if type(got) ~= "table" then return ("for %s: it returned %s, not a list"):format(story, tostring(got)) end
  for i = 1, #x do
    local want = a * x[i] + y[i]
    if got[i] == y[i] and want ~= y[i] then
      return ("for %s: element %d is still %g: %s"):format(story, i, y[i], state.commits == 0 and "nothing was committed"
        or "it was read before the GPU had finished")
    end
    if got[i] ~= want then
      return ("for %s: element %d is %s, expected %g"):format(story, i, tostring(got[i]), want)
    end
  end
end

local function judge_rounds(env)
  if type(env.compute) ~= "function" then return false, "there is no function compute" end
  local score = 0
  for rounds = 0, 10, 5 do
    local device, state = new_device()
    local ok, got =
      pcall(env.compute, device, 2, { 1, 2, 3 }, { 10, 20, 30 }, rounds)
    local story = ("for %d rounds: "):format(rounds)
    if not ok then
      return false, story .. tostring(got):gsub("^%S+:%d+: ", "")
    end
    if type(got) ~= "table" then return false, ("%sit returned %s, not a list"):format(story, tostring(got)) end
    for i = 1, 3 do
      local want = 10 * i + rounds * 2 * i
      if got[i] ~= want then
        return false, ("%selement %d is %s, expected %d"):format(story, i, tostring(got[i]), want)
      end
    end
    score = score + state.commits
  end
  return true, "Right for 0, 5 and 10 rounds.", score
end

local function judge_jobs(env)
  if type(env.compute_all) ~= "function" then return false, "there is no function compute_all" end
  local jobs = { { a = 2, x = { 3 }, y = { 1 } },
    { a = -1, x = { 1, 2, 3 }, y = { 5, 5, 5 } },
    { a = 0.5, x = { 8, 4 }, y = { 0, 1 } },
    { a = 3, x = { 1, 1, 1, 1 }, y = { 1, 2, 3, 4 } } }
  local device, state = new_device()
  local ok, got = pcall(env.compute_all, device, jobs)
  if not ok then return false, (tostring(got):gsub("^%S+:%d+: ", "")) end
  if type(got) ~= "table" then return false, ("it returned %s, not a list"):format(tostring(got)) end
  for j, job in ipairs(jobs) do
    if type(got[j]) ~= "table" then return false, ("there is no answer to job %d"):format(j) end
    for i = 1, #job.x do
      local want = job.a * job.x[i] + job.y[i]
      if got[j][i] ~= want then
        return false, ("job %d: element %d is %s, expected %g"):format(j, i, tostring(got[j][i]), want)
      end
    end
  end
  return true, ("Right for all %d jobs."):format(#jobs), state.made
end

return {
  title = "Metal's host side", part = 6, minutes = 20,
  task = "Finish `compute(device, a, x, y)`: encode saxpy, commit it, wait, and return the answer.",
  exercise = function(env)
    if type(env.compute) ~= "function" then return false, "there is no function compute" end
    for _, t in ipairs(trials) do
      local why = try(env.compute, table.unpack(t))
      if why then return false, why end
    end
    return true, "Right: pipeline, buffers, dispatch, commit, and only then the answer."
  end,
  start_fails = "wrong",
  wrong = { ["does-not-wait"] = "wrong", ["never-committed"] = "wrong",
    ["encoder-left-open"] = "wrong", ["whole-threadgroups"] = "wrong",
    ["mixed-up-indices"] = "wrong", ["index-for-offset"] = "wrong",
    ["private-memory"] = "wrong", ["no-pipeline"] = "wrong" },
  hints = {
    "The step 'Encode' has the calls in their order: the pipeline, two buffers, one number, the dispatch, the end.",
    "The kernel has no guard, so there must be exactly #x threads: encoder:dispatchThreads(#x, 256).",
    "After endEncoding: commands:commit(), then commands:waitUntilCompleted(). Before that, contents() is old.",
  },
  challenges = {
    { name = "one-wait", title = "Ten rounds, one wait",
      task = "`compute(device, a, x, y, rounds)` returns y after y = a x + y was done `rounds` times. The start commits and waits in every round. Hand over fewer command buffers.",
      score = { counts = "command buffers committed", say = "An encoder takes as many dispatches as you like; they run one after the other." },
      exercise = judge_rounds, wrong = "wrong",
      hints = { "What is set stays set: dispatchThreads again is all that a further round needs.",
        "The loop stands between setBytes and endEncoding." } },
    { name = "made-once", title = "Made once",
      task = "`compute_all(device, jobs)` gets a list of { a, x, y } and returns the list of the answers a x + y. The start makes everything once more for every job. Ask Metal for fewer objects: queues, libraries, functions, pipelines, buffers, command buffers, encoders.",
      score = { counts = "objects made", say = "Queue, library, function and pipeline serve all jobs; and so can one encoder." },
      exercise = judge_jobs, wrong = "wrong",
      hints = { "Only the buffers belong to a job. Everything else can be made before the loop.",
        "Encode all jobs into one encoder, commit once, wait once; then read every ys:contents()." } },
  },
}
