-- describe.lua - what a finding means, and what helps: a sentence each for
-- every kind of devices/check.h.
--
--   describe.finding(f, r, lines)  adds to a finding f of the report r:
--                                  message, advice, look (a word of the
--                                  glossary), and what its block needs
--                                  (text.lua)
--   describe.position(v, sides)    a place in the grid: "70", "(3, 1)"
--   describe.kinds                 a function for each kind
--   describe.own                   sentences about what only Lua's check and
--                                  textures have; false: no sentence
local units = require "lua.text.units"

local describe = {
  own = {
    levels = "Textures of gpu.texture have level 0 alone: leave the level "
      .. "out. ",
    part = " If it writes a part on purpose, say outputs = {}." } }

------------------------------------------------------------------------ parts

local plural = units.many

-- Sides that the launch has: 1 to 3.
local function sides_of(r)
  return r.grid[3] > 1 and 3 or r.grid[2] > 1 and 2 or 1
end

function describe.position(v, sides)
  if sides == 1 then return tostring(v[1]) end
  return "(" .. table.concat(v, ", ", 1, sides) .. ")"
end

-- c[12]; sum, if it is one value
local function element(f)
  if not f.buffer then return "memory" end
  if f.kind == "uninitialised" and f.space == "private" then return f.buffer end
  if not f.index or (f.length == 1 and f.index == 0) then return f.buffer end
  -- tile[1][4] is its 20th of tile[16][16]
  if f.rows and f.index >= 0 and f.index < f.length then
    local last, rest = f.rows[#f.rows], f.index
    local text = ("[%d]"):format(rest % last)
    rest = rest // last
    if f.rows[2] then
      text, rest = ("[%d]%s"):format(rest % f.rows[1], text), rest // f.rows[1]
    end
    return ("%s[%d]%s"):format(f.buffer, rest, text)
  end
  return ("%s[%d]"):format(f.buffer, f.index)
end

local memory = { threadgroup = " (threadgroup memory)",
  private = " (a variable of each thread)",
  constant = " (constant memory)" }
local passive = { read = "is read", write = "is written",
  atomic = "is changed" }

local function flag_for(space)
  return space == "threadgroup" and "mem_flags::mem_threadgroup"
    or "mem_flags::mem_device"
end

------------------------------------------------------------------- each kind

-- Functions that give the message, the advice and the word of the glossary; one
-- for each row of the table in devices/check.h.
local kinds = {}
describe.kinds = kinds

-- What an unsigned number of 32 bits becomes below 0; more is none of 32 bits.
local function wrapped(index) return index >= 1 << 31 and index < 1 << 32 end

-- tile[3][20] of tile[16][16]; v[5] of a float4
local function inner_message(f)
  local path = f.detail ~= "" and f.detail or f.buffer or "the vector"
  f.detail = ""
  -- the array, or the vector, has a name of its own
  local own = path:match "([%w_]+)$"
  local message = ("%s[%s] %s, but %s has %s: 0 to %d"):format(path,
    wrapped(f.index) and "index" or tostring(f.index), passive[f.how],
    own or "that dimension of " .. (f.buffer or "it"),
      plural(f.length, "element"), f.length - 1)
  if f.index < 0 then
    return message,
      "The first elements have no neighbour on that side: treat them apart, "
        .. "or clamp the index to 0."
  end
  return message,
    ("Keep that index below %d: what comes after it is the next row or "
      .. "the next member."):format(f.length)
end

-- (640, 12) of 640 × 480; Metal says what happens there, so nothing breaks.
local function beside_texture(f)
  local at, size, wraps, own = {}, {}, false, true
  local t = f.threads[1]
  for d = 1, 3 do
    if f.extent[d] > 0 then -- the kind of texture has this side
      at[#at + 1], size[#size + 1] = f.texel[d], tostring(f.extent[d])
      wraps = wraps or f.texel[d] >= 1 << 31
      own = own and t and (d == 3 or t.grid[d] == f.texel[d])
    end
  end
  if f.level then
    return ("%s %s in level %d, but it has %s: %s"):format(
      f.buffer or "a texture", passive[f.how], f.index,
      plural(f.length, "level"), f.how == "read" and "a read gives 0"
        or "a write is dropped"),
      (describe.own and describe.own.levels or "")
        .. "Where there may be more, ask get_num_mip_levels() first."
  end
  local message = ("%s %s at %s, but it is %s%s: outside, %s"):format(
    f.buffer or "a texture", passive[f.how],
    describe.position(at, #at), table.concat(size, " × "), #at == 1 and " wide"
      or "",
    f.how == "read" and "a read gives 0" or "a write is dropped")
  if wraps then
    return message,
      "An unsigned coordinate below 0 wraps: treat the border apart, clamp, "
        .. "or sample with an address mode."
  end
  if own then
    return message,
      "There are more threads than texels: let those outside do nothing, "
        .. "as in if (any(p >= size)) return;"
  end
  return message,
    "Clamp the coordinates if the border is meant, or sample with an address "
      .. "mode: both say what lies outside."
end

kinds["out-of-bounds"] = function(f)
  if f.extent then return beside_texture(f) end
  if f.inner then return inner_message(f) end
  if f.space == "wild" or not f.buffer then
    return ("memory that belongs to no argument %s"):format(
      passive[f.how] or "is touched"),
      "The address was computed wrongly: look at the index and at every cast "
        .. "on the way to it."
  end
  local what = element(f) .. " " .. (passive[f.how] or "is touched")
  if f.index < 0 then
    return ("%s: that is before the start of %s%s"):format(what, f.buffer,
      memory[f.space] or ""),
      "The first elements have no neighbour on that side: treat them apart, "
        .. "or clamp the index to 0."
  elseif wrapped(f.index) then
    return ("%s, but %s%s has %s"):format(what, f.buffer, memory[f.space] or "",
      plural(f.length, "element")),
      ("An unsigned number below 0 wraps to %d: test before subtracting, "
        .. "or compute with int."):format(f.index)
  elseif f.index >= 1 << 32 then
    return ("%s, but %s%s has %s"):format(what, f.buffer, memory[f.space] or "",
      plural(f.length, "element")),
      "It is far outside: look at the shifts, products and casts that the "
        .. "index is made of."
  elseif f.index < f.length then
    return ("%s with %d bytes that go over the end of %s, which has %s"):format(
      what, f.bytes, f.buffer,
      plural(f.length, "element")),
        "The last elements do not fill a whole vector: handle them one by one."
  end
  local message = ("%s, but %s%s has %s%s"):format(what, f.buffer,
    memory[f.space] or "", plural(f.length, "element"),
    f.length > 0 and (": 0 to %d"):format(f.length - 1) or "")
  if f.space == "private" or f.space == "constant" and f.private then
    return message, ("Count to < %d, or make the array larger."):format(
      f.length)
  elseif f.space == "threadgroup" then
    return message,
      "Every thread of the group must stay inside: make the array (or the "
        .. "bytes given at launch) larger, or the index smaller."
  end
  local t = f.threads[1]
  if t and t.grid[1] == f.index and f.sides == 1 then
    if f.barriers then
      return message,
        "There are more threads than elements: guard the access, "
          .. "i < n ? x[i] : 0, and not the thread: all must reach the barrier."
    end
    return message,
      "There are more threads than elements: let those past the end do "
        .. "nothing, if (i >= n) return;"
  elseif f.sides > 1 then
    return message,
      "In two dimensions the index is y * width + x, for x < width and y < "
        .. "height: look which of these does not hold."
  end
  return message,
    "Compare the index with the buffer's length before it is used."
end

local function race_message(f)
  local what = ("%s%s"):format(element(f),
    f.space == "threadgroup" and " (threadgroup memory)" or "")
  if f.how == "write" and f.other_how == "write" then
    return what
      .. " is written by two threads, and chance decides which comes last"
  elseif f.how == "atomic" and f.other_how == "atomic" then
    return what
      .. " is set by one thread, and another uses it without waiting for that"
  elseif f.how == "atomic" or f.other_how == "atomic" then
    return (
      "%s is used atomically by one thread and plainly by another"):format(what)
  end
  return what .. " is written by one thread while another reads it"
end

-- c[0]++ by two threads: one place of the source both reads and writes. Where
-- several threads read, the one that is known need not be the one that races.
local function both_change(f)
  return #f.threads > 1 and f.line == f.other_line
    and f.column == f.other_column and f.how ~= f.other_how
end

local function race_advice(f)
  local flag = flag_for(f.space)
  local same = f.line == f.other_line
  if f.flags then
    return (
      "The barrier between them does not order this "
        .. "memory: it needs %s."):format(flag)
  elseif f.how == "atomic" and f.other_how == "atomic" then
    return (
      "Atomics do not say who comes first: put threadgroup_barrier(%s) "
        .. "between the two."):format(flag)
  elseif f.how == "atomic" or f.other_how == "atomic" then
    return f.apart == "groups"
      and "Make both accesses atomic, or make it two launches."
      or ("Make both accesses atomic, "
        .. "or put threadgroup_barrier(%s) between them."):format(flag)
  elseif both_change(f) then
    return "Several threads change one place: use an atomic "
      .. "(atomic_fetch_add_explicit), or give each thread its own element."
  elseif same and f.how == "write" and f.other_how == "write" then
    return "Each thread needs an element of its own: look at the index "
      .. "(position in the group, or in the grid?), or use an atomic."
  elseif f.apart == "groups" then
    return "Threadgroups cannot wait for each other inside a launch: "
      .. "read from one buffer and write into another, use atomics, "
      .. "or make it two launches."
  elseif same then
    return (
      "Put threadgroup_barrier(%s) between reading and writing, and between "
        .. "the rounds of a loop; or write into another array."):format(flag)
  elseif f.apart == "lanes" then
    return (
      "Lanes of a SIMD-group need not run in step: put simdgroup_barrier(%s) "
        .. "or a threadgroup_barrier between the two."):format(flag)
  end
  return (
    "Put threadgroup_barrier(%s) between the two, where all threads of "
      .. "the group pass."):format(flag)
end

kinds.race = function(f) return race_message(f), race_advice(f) end

kinds["divergent-barrier"] = function(f)
  local message = ("only %s of %s threads %s this barrier"):format(
    units.count(f.value), units.count(f.expected),
    f.value == 1 and "reaches" or "reach")
  if f.other_line then
    f.detail = f.detail .. (", on line %d"):format(f.other_line)
  end
  if f.other_only then
    return message,
      "All threads of a group must meet at the same barrier: "
        .. "write one barrier after the branches, not one in each.",
      "divergent barrier"
  end
  return message,
    "Threads without work must skip the work, not the barrier: "
      .. "move it out of the branch, and make the loop equally long for all.",
    "divergent barrier"
end

kinds.uninitialised = function(f)
  local what = element(f)
  if f.space == "threadgroup" then
    return what
      .. " (threadgroup memory) is read, and nothing was written there before",
      "Threadgroup memory starts with leftovers: set all of it first, "
        .. "then a threadgroup_barrier.", "uninitialised memory"
  elseif f.space == "device" then
    return what .. " is read, but it holds nothing before the kernel writes it",
      "Write before you read (= before +=), or fill the buffer "
        .. "before the launch.", "uninitialised memory"
  end
  return what .. " is read before it was given a value",
    "Give it a value where it is declared, as in float sum = 0;",
      "uninitialised memory"
end

kinds.misaligned = function(f)
  return ("%s is %s at an address that is not a multiple of %d bytes"):format(
    element(f),
    f.how == "write" and "written" or "read", f.bytes),
    "Take the parts one by one, or a packed type such as packed_float3, "
      .. "which may lie wherever its scalars may."
end

kinds["division-by-zero"] = function()
  return "an integer is divided by zero; the result can be anything",
    "Test the divisor before: d != 0 ? a / d : 0.", "division by zero"
end

local function signed(v)
  return v >= 1 << 31 and v < 1 << 32 and v - (1 << 32) or v
end

kinds.shift = function(f)
  local width = f.expected > 0 and f.expected or 32
  return (
    "a number of %d bits is shifted by %d; Metal shifts it by %d"):format(
      width, signed(f.value), f.value % width),
    width < 64
      and ("Keep it below %d, or compute with more bits: 1ul << n."):format(
        width)
      or ("Keep it below %d, and treat the last step apart."):format(width)
end

kinds["threadgroup-memory"] = function(f)
  local message = "the kernel asks for more threadgroup memory than a group has"
  if f.value > 0 and f.expected > 0 then
    message =
      ("a threadgroup needs %s bytes of threadgroup memory, "
        .. "and %s is all there is"):format(units.count(f.value),
      units.count(f.expected))
  end
  return message,
    "Take smaller tiles or a smaller type, or use the same array twice, "
      .. "with a barrier between.", "threadgroup memory"
end

-- "at (3, 15)": a texture's element, by the sides that it has
local function texel(f)
  local sides = f.extent[3] > 1 and 3 or f.extent[2] > 1 and 2 or 1
  return "at " .. describe.position(f.texel, sides)
end

kinds.coverage = function(f)
  local message = ("%s: %s"):format(f.buffer or "the output",
    f.detail ~= "" and f.detail or "not all of it is written")
  if f.length ~= 1 then
    message = ("%s, the first is %s"):format(message,
      f.extent and texel(f) or element(f))
  end
  f.detail = ""
  if message:find "more than one thread" then
    return message,
      "Each element needs one thread: look at the index and the step, "
        .. "and let one thread of a group write what it shares."
  end
  if not f.line and not f.extent then
    return message,
      "No thread writes to it: is the line that does so missing, "
        .. "or does it write to another buffer?"
  end
  if f.own_size then
    return message,
      "The last threadgroup is smaller, and threads_per_threadgroup is its "
        .. "own size there: "
      .. "multiply by dispatch_threads_per_threadgroup, "
        .. "or use thread_position_in_grid."
  end
  return message,
    "If the kernel should write all of it, the grid is too small or a guard "
      .. "too strict: round the number of "
    .. "groups up, and guard the last one."
    .. (not f.of_problem and describe.own and describe.own.part or "")
end

-- A matrix is all lanes' together; f.detail is what was done with it.
local function matrix_apart(f)
  local what = f.detail
  f.detail = ""
  if f.expected < 32 then
    return ("%s in a SIMD-group of %s, but a matrix is spread over 32"):format(
      what, plural(f.expected, "thread")),
      "Make the threadgroup a multiple of 32 threads, and the grid a multiple "
        .. "of the threadgroup.", "inactive lane"
  end
  return ("%s by %d of 32 lanes, but a matrix belongs to all of them"):format(
    what, f.value),
    "Let all lanes of the SIMD-group do it: take it out of the branch, "
      .. "or branch on what is the same in all lanes.", "inactive lane"
end

kinds["inactive-lane"] = function(f)
  if f.detail ~= "" then return matrix_apart(f) end
  return "a value is asked from a lane that does not take part",
    "Let all lanes of the SIMD-group do the shuffle or broadcast, "
      .. "before the branch, and use the value inside.",
    "inactive lane"
end

kinds.assert = function(f)
  local condition = f.detail ~= "" and f.detail or "…"
  f.detail = ""
  return ("assert(%s) fails"):format(condition),
    "See what the thread has there: os_log_default.log_info of <metal_logging> "
      .. "says it. A GPU never asks an assert."
end

kinds.schedule = function(f)
  local detail = f.detail ~= "" and ": " .. f.detail or ""
  f.detail = ""
  return (
    "%s comes out differently when threads run in another "
      .. "order (seed %d)%s"):format(element(f), f.value, detail),
    "The answer must not depend on who comes first: give each result a place "
      .. "of its own, or sum in a fixed order."
end

-- The compiler's place of a write is its =, and that of a read by += or ++ is
-- the operator; what is written stands before it.
local function at_name(line, column, name, how)
  if not (line and column and name) then return column end
  local operator = line:find("^[-+*/%%&|^<>]+=", column)
    or line:find("^%+%+", column) or line:find("^%-%-", column)
  if how ~= "write" and not operator then return column end
  local found
  local from = 1
  while true do
    local at = line:find("%f[%w_]" .. name:gsub("%W", "%%%0") .. "%f[^%w_]",
      from)
    if not at or at > column then return found or column end
    found, from = at, at + #name
  end
end

-- Does the kernel have barriers, or a function that it may call? Then no thread
-- may leave. Other kernels, and comments, do not count.
local function has_barriers(lines, kernel)
  local other = false
  for number, line in ipairs(lines) do
    local code = line:gsub("//.*", "")
    if code:find "%f[%w_]kernel%f[^%w_]" then
      local head = code .. " " .. (lines[number + 1] or "")
      other = not head:find("%f[%w_]" .. kernel .. "%f[^%w_]")
    end
    if not other and code:find "group_barrier%s*%(" then return true end
    if code:find "^}" then other = false end
  end
  return false
end

-- Does a threadgroup at the edge have fewer threads, and the source ask how
-- many those are? Then a position made from that number is another's.
local function asks_own_size(r, lines)
  local ragged = false
  for d = 1, 3 do
    ragged = ragged or r.grid[d] % math.max(r.group[d], 1) ~= 0
  end
  for _, line in ipairs(ragged and lines or {}) do
    if (" " .. line):find "[^%w_]threads_per_threadgroup%f[^%w_]" then
      return true
    end
  end
  return false
end

-- Details that the fields do not say stand after the message.
function describe.finding(f, r, lines)
  f.detail = f.detail or ""
  f.sides = sides_of(r)
  -- a place in an included file came with that file's line
  local included, other_included = f.file, f.other_file
  f.file, f.other_file = included or r.file, other_included or r.file
  if r.barriers == nil then r.barriers = has_barriers(lines, r.kernel) end
  f.barriers = r.barriers
  if not included then f.source_line = lines[f.line or 0] end
  if not other_included then f.other_source_line = lines[f.other_line or 0] end
  f.column = at_name(f.source_line, f.column, f.buffer, f.how)
  f.other_column = at_name(f.other_source_line, f.other_column, f.buffer,
    f.other_how)
  f.own_size = f.kind == "coverage" and asks_own_size(r, lines) or nil
  f.of_problem = r.of_problem
  local message, advice, look = kinds[f.kind](f)
  if f.detail ~= "" and message ~= f.detail
    and f.kind ~= "threadgroup-memory" then
    message = message .. " (" .. f.detail .. ")"
  end
  f.message, f.advice, f.look = message, advice, look or f.kind
end

return describe
