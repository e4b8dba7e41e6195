-- sweep_groups.lua - the points of a sweep over threadgroup sizes.
--
--   sweep_groups.points(p, given, state)  { name, x, make } for each size of
--                                         the workload p, those given or the
--                                         usual ones; and whether they are
--                                         numbers
--   sweep_groups.begin(p, state)          runs the launch as it was given
--   sweep_groups.name(size)               "256", "8×8"
--
-- A size that covers another part of the work is no answer to the same
-- question. So what a launch by groups = … covers is found out first, and the
-- number of groups follows its size where it has to: state.threads.
local sweep_groups = {}

local line = { 1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024 }
local flat = { { 1, 1 }, { 4, 4 }, { 8, 8 }, { 16, 4 }, { 16, 16 }, { 32, 1 },
  { 32, 4 }, { 32, 8 }, { 32, 32 },
  { 64, 4 }, { 128, 2 }, { 256, 1 }, { 1024, 1 }, { 1, 32 }, { 4, 64 },
    { 1, 256 } }
local solid = { { 1, 1, 1 }, { 4, 4, 4 }, { 8, 8, 4 }, { 8, 8, 8 },
  { 32, 2, 2 }, { 32, 4, 4 }, { 64, 2, 2 }, { 256, 1, 1 } }

-- How many sides of the launch are longer than 1.
local function dimensions(launch)
  local size = launch.grid or launch.groups
  if type(size) ~= "table" then return 1 end
  if (size[3] or 1) > 1 then return 3 end
  return (size[2] or 1) > 1 and 2 or 1
end

function sweep_groups.name(g)
  return type(g) == "table" and table.concat(g, "×") or tostring(g)
end

-- The same of a result's three sides: 256×1×1 is 256.
local function own_name(size)
  return sweep_groups.name(
    { table.unpack(size, 1, size[3] > 1 and 3 or size[2] > 1 and 2 or 1) })
end

-- The three sides of a size.
local function sides(size)
  local t = type(size) == "table" and size or { size }
  return { t[1] or 1, t[2] or 1, t[3] or 1 }
end

-- So many groups of size g that there are as many threads as in the launch
-- given, or a few more.
local function groups_for(threads, g)
  local size, groups = sides(g), {}
  for d = 1, 3 do groups[d] = (threads[d] + size[d] - 1) // size[d] end
  return groups
end

-- The launches that get other sizes. Of a function those by grid that have as
-- many sides as the first: what a launch by groups covers depends on its size.
local function steps_to_sweep(p)
  if not p.sequence then return p.steps end
  local list = {}
  for _, s in ipairs(p.steps) do
    if s.launch.grid and (#list == 0
      or dimensions(s.launch) == dimensions(list[1].launch)) then
      list[#list + 1] = s
    end
  end
  if #list == 0 then
    error("every launch of the function is by groups = …, and what it "
      .. "covers depends on the size of a group: sweep one launch by itself, "
      .. "or give over = {…}", 0)
  end
  return list
end

-- The points of a sweep over groups: {name, x, make}. 'threads', if known when
-- a point is made: the number of groups follows the size.
function sweep_groups.points(p, given, state)
  local step = p.steps[1]
  local swept = steps_to_sweep(p)
  local n = dimensions(swept[1].launch)
  local list = given or n == 1 and line or n == 2 and flat or solid
  local points = {}
  for i, g in ipairs(list) do
    points[i] = { name = sweep_groups.name(g), x = type(g) == "number" and g
      or i,
      group = g,
      make = function()
        for _, s in ipairs(swept) do s.launch.group = g end
        if state.threads then
          step.launch.groups = groups_for(state.threads, g)
        end
        return p
      end }
  end
  return points, n == 1 and type(list[1]) == "number"
end

-- A launch by 'groups' covers more or less with other sizes, unless a group's
-- work is the same whatever its size (one row of a matrix, say). Which of them
-- it is, half of the size tells, or a quarter where the device takes no half:
-- with as many groups the answer is right, or it is not.
local function groups_follow(p, state, size, threads)
  local launch, half = p.steps[1].launch, sides(size)
  local own, ran, check = launch.group, false, nil
  while not ran and half[1] * half[2] * half[3] > 1 do
    local d = half[3] > 1 and 3 or half[2] > 1 and 2 or 1
    half[d] = half[d] // 2
    launch.group = half
    ran, check = pcall(p.verify, p, state.wanted)
  end
  launch.group = own
  if not (ran and check.ok) then state.threads = threads end
end

-- A group that is larger than the device takes: how much it was to cover is
-- known all the same, and a reference tells whether other sizes must cover as
-- much.
local function groups_meant(p, state)
  local launch = p.steps[1].launch
  if not launch.group or not state.verified then return end
  local size, groups = sides(launch.group), sides(launch.groups)
  groups_follow(p, state, size,
    { size[1] * groups[1], size[2] * groups[2], size[3] * groups[3] })
end

-- Run the launch as it was given: its answer is what the others are held
-- against where there is no reference. If it cannot be launched, the first that
-- can be is.
function sweep_groups.begin(p, state)
  local by_groups = #p.steps == 1 and p.steps[1].launch.groups ~= nil
  state.verified = p.reference ~= nil or p.accept ~= nil
  if state.verified and not by_groups then return end
  -- another device has answered
  if state.wanted and not by_groups then return end
  local ran, check = pcall(p.verify, p, state.wanted)
  if not ran then
    if by_groups then groups_meant(p, state) end
    return
  end
  state.wanted = state.wanted or check.wanted or not state.verified
    and p:answers() or nil
  state.given = state.given or own_name(p.last.group)
  if by_groups then
    groups_follow(p, state, p.last.group, sides(p.last.grid))
  end
end

return sweep_groups
