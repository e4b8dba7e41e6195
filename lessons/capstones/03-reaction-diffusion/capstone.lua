-- One step in numbers of Lua: cells as x and y, tables from 0 on.
local function around(v, w, h, x, y)
  return v[y * w + (x + w - 1) % w] + v[y * w + (x + 1) % w]
    + v[(y + h - 1) % h * w + x] + v[(y + 1) % h * w + x]
end

local function step(food, eater, w, h, feed, kill)
  local next_food, next_eater = {}, {}
  for y = 0, h - 1 do
    for x = 0, w - 1 do
      local i = y * w + x
      local u, v = food[i], eater[i]
      local eaten = u * v * v
      next_food[i] = u + 0.2 * (around(food, w, h, x, y) - 4 * u)
        + feed * (1 - u) - eaten
      next_eater[i] = v + 0.1 * (around(eater, w, h, x, y) - 4 * v)
        + eaten - (feed + kill) * v
    end
  end
  return next_food, next_eater
end

local function split(b)
  local food, eater = {}, {}
  for i = 0, #b - 1 do food[i], eater[i] = b[i][1], b[i][2] end
  return food, eater
end

-- A random state of pairs between 0 and 1.
local function state(s, make)
  local b = gpu.buffer("float2", s.columns * s.rows)
  local numbers = make.random(2 * s.columns * s.rows, nil, 0, 1)
  for i = 0, #b - 1 do b[i] = { numbers[2 * i], numbers[2 * i + 1] } end
  return b
end

local function is_buffer(b)
  return pcall(function() return #b > 0 and b[0][2] end)
end

-- A kernel that writes what its neighbours still read may be right by chance
-- on one device: the checker sees it on every one that has LLVM.
local function race_in(advance)
  local checked, findings = pcall(check, advance)
  if not checked then return nil end
  for _, f in ipairs(findings) do if f.kind == "race" then return f end end
end

local function judge_scene(env)
  if type(env.advance) ~= "function" or not is_buffer(env.cells) then
    return false, "the file must leave cells, a buffer of float2, and the function advance"
  end
  if #env.cells ~= 64 * 64 then return false, "cells has 64 × 64 pairs" end
  local food, eater = split(env.cells)
  env.advance()
  for _ = 1, 8 do food, eater = step(food, eater, 64, 64, 0.037, 0.06) end
  for i = 0, 64 * 64 - 1 do
    local got = env.cells[i]
    if not (math.abs(got[1] - food[i]) < 1e-3
      and math.abs(got[2] - eater[i]) < 1e-3) then
      return false, ("after advance() cell (%d, %d) is %.4f, %.4f; eight steps give %.4f, %.4f"):format(
        i % 64, i // 64, got[1], got[2], food[i], eater[i])
    end
  end
  if race_in(env.advance) then
    return false, "advance() has threads that write what others still read: react needs two buffers, cells and other"
  end
  if type(env.scene) ~= "table" then return false, "there is no scene for play" end
  local before = env.cells:copy()
  local r = play(env.scene, { frames = 2 })
  if env.cells:equals(before, 1e-6) then
    return false, "two frames of play(scene) change nothing: its step should call advance()"
  end
  if not (r.picture:view(0, #r.picture):max() and r.frames == 2) then
    return false, "play(scene) shows no picture"
  end
  return true, "Right: eight steps a frame, and it plays."
end

local cases = { { columns = 3, rows = 3 }, { columns = 4, rows = 3 },
  { columns = 5, rows = 7 }, { columns = 33, rows = 18 } }

return {
  title = "Patterns that grow: reaction and diffusion", part = 1, minutes = 90,
  tasks = {
    { name = "spread", title = "Diffusion", kernel = "spread",
      task = "Write `spread`: a step of diffusion on a torus.",
      arguments = function(s, make)
        return { previous = state(s, make),
          next = make.out("float2", s.columns * s.rows),
          size = { s.columns, s.rows }, rate = { 0.2, 0.1 } }
      end,
      outputs = { "next" },
      launch = function(s) return { grid = { s.columns, s.rows } } end,
      reference = function(s, arg, out)
        local food, eater = split(arg.previous)
        for y = 0, s.rows - 1 do
          for x = 0, s.columns - 1 do
            local i = y * s.columns + x
            local foods = around(food, s.columns, s.rows, x, y)
            local eaters = around(eater, s.columns, s.rows, x, y)
            out.next[i] = { food[i] + 0.2 * (foods - 4 * food[i]),
              eater[i] + 0.1 * (eaters - 4 * eater[i]) }
          end
        end
      end,
      tolerance = 1e-4, cases = cases, start_fails = "wrong",
      wrong = { ["edges-read-past-the-end"] = { "wrong", "out-of-bounds" }, ["up-twice"] = "wrong",
        ["without-the-cell-itself"] = "wrong", ["rows-and-columns"] = { "wrong", "out-of-bounds", "coverage", "race" },
        ["both-at-one-rate"] = "wrong" },
      hints = { "The cell to the left of column 0 is the last column: (at.x + size.x - 1) % size.x.",
        "Add up the four neighbours; `around - 4 * previous[i]` is how much the cell lies below them.",
        "`next[i] = previous[i] + rate * (around - 4 * previous[i]);` with float2 both substances go at once, each at its rate." } },
    { name = "react", title = "The reaction", kernel = "react",
      task = "Write `react`: diffusion with the rates 0.2 and 0.1, and Gray and Scott's reaction.",
      arguments = function(s, make)
        return { previous = state(s, make),
          next = make.out("float2", s.columns * s.rows),
          size = { s.columns, s.rows }, feed = 0.037, kill = 0.06 }
      end,
      outputs = { "next" },
      launch = function(s) return { grid = { s.columns, s.rows } } end,
      reference = function(s, arg, out)
        local food, eater = split(arg.previous)
        food, eater = step(food, eater, s.columns, s.rows, 0.037, 0.06)
        for i = 0, s.columns * s.rows - 1 do
          out.next[i] = { food[i], eater[i] }
        end
      end,
      tolerance = 1e-4, cases = cases, start_fails = "wrong",
      wrong = { ["eats-alone"] = "wrong", ["no-food"] = "wrong",
        ["never-dies"] = "wrong", ["one-rate"] = "wrong" },
      hints = { "Take over the body of your spread; only the last line changes.",
        "eaten = x y²: it goes from the food to the eater. Food comes back at feed (1 - x), eaters die at (feed + kill) y.",
        "`next[i] = v + float2(0.2f, 0.1f) * (around - 4 * v) + float2(feed * (1 - v.x) - eaten, eaten - (feed + kill) * v.y);`" } },
    { name = "paint", title = "The picture", kernel = "paint",
      task = "Write `paint`: colours from dark to bright by how much eater there is.",
      arguments = function(s, make)
        return { cells = state(s, make),
          picture = make.out("float4", s.columns * s.rows),
          size = { s.columns, s.rows } }
      end,
      outputs = { "picture" },
      launch = function(s) return { grid = { s.columns, s.rows } } end,
      reference = function(s, arg, out)
        for i = 0, s.columns * s.rows - 1 do
          local t = math.min(1, math.max(0, 3 * arg.cells[i][2]))
          out.picture[i] = { 0.02 + 0.98 * t, 0.04 + 0.91 * t,
            0.12 + 0.58 * t, 1 }
        end
      end,
      tolerance = 1e-4, cases = cases, start_fails = "wrong",
      wrong = { ["the-food"] = "wrong", ["not-clamped"] = "wrong",
        ["see-through"] = "wrong", ["the-other-way"] = "wrong" },
      hints = { "t = 3 y, cut to 0 … 1: `saturate` does that.",
        "`mix(a, b, t)` is a at t = 0 and b at t = 1, for float3 too.",
        "`picture[i] = float4(mix(float3(0.02f, 0.04f, 0.12f), float3(1, 0.95f, 0.7f), t), 1);`" } },
    { name = "scene", title = "Eight steps a frame",
      task = "Write `advance` and `scene` in Lua.",
      exercise = judge_scene, start_fails = "wrong",
      wrong = { ["never-swaps"] = "wrong", ["seven-steps"] = "wrong",
        ["in-place"] = "wrong", ["scene-stands-still"] = "wrong" },
      hints = { "A launch: react{cells, other, {n, n}, feed, kill, grid = {n, n}}. Then the new state is in other.",
        "Swap after each launch: cells, other = other, cells. Never let a kernel read and write the same buffer here: neighbours would be old and new.",
        "scene = {paint, size = n, step = function(f) advance() f.cells = cells f.run \"paint\" end}" } },
  },
}
