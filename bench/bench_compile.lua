-- bench_compile.lua - from MSL to bitcode, beside the time that Clang needs to
-- start and say its version: the front end cannot be quicker than its child.
local side = dofile "bench/side.lua"
local system = require "mettle.system"
local timing = require "lua.workload.timing"

local program = arg and arg[-1] or "build/mettle"

-- The Clang that this build was made for.
local function clang()
  local named = os.getenv "METTLE_CLANG"
  if named and named ~= "" then return named end
  local file = io.open "build/config.mk"
  local text = file and file:read "a" or ""
  if file then file:close() end
  return text:match("MT_CLANG='\"([^\"]+)\"'") or "clang"
end

local shell = side.shell

local PLAIN = dofile "bench/twenty.lua"

local MACROS = PLAIN:gsub("using namespace metal;\n", [=[
using namespace metal;
#define MIX(a, b) ((a) * 0.5f + (b) * 0.5f)
]=], 1):gsub("x %+ y;", "MIX(x, y);")

local TEXTURE = [=[
#include <metal_stdlib>
using namespace metal;

constant float3 luma = float3(0.2126, 0.7152, 0.0722);

kernel void blur(texture2d<float, access::sample> from [[texture(0)]],
                 texture2d<float, access::write> to [[texture(1)]],
                 uint2 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height()) return;
  constexpr sampler s(coord::pixel, address::clamp_to_edge, filter::linear);
  float4 sum = 0;
  for (int y = -1; y <= 1; y++) {
    for (int x = -1; x <= 1; x++) {
      sum += from.sample(s, float2(at) + float2(x, y) + 0.5f);
    }
  }
  float grey = dot(sum.rgb / 9, luma) + %d;
  to.write(float4(float3(grey), 1), at);
}
]=]

local fresh_number = dofile "bench/fresh.lua"
local function fresh(text)
  return function(n)
    local start = system.now()
    for _ = 1, n do
      gpu.library((text:gsub("%%d", tostring(fresh_number()))))
    end
    return (system.now() - start) / n
  end
end

-- The same where no Clang stays loaded: each is started again.
local function afresh(n)
  local seconds = 0
  local child = assert(io.popen(("METTLE_LOADED=0 '%s' bench/afresh.lua %d"):format(program, n)))
  for line in child:lines() do seconds = seconds + tonumber(line) end
  child:close()
  return seconds / n
end

-- At the prompt a Clang has loaded already; all but its loading is left.
local function at_the_prompt(text)
  local compile = fresh(text)
  return function(n)
    local sum = 0
    for _ = 1, n do
      gpu.ready()
      system.sleep(0.1)
      sum = sum + compile(1)
    end
    return sum / n
  end
end

local name = os.tmpname()
local file = assert(io.open(name, "w"))
file:write((PLAIN:gsub("%%d", "1")))
file:close()

-- the precompiled header is there from here on
gpu.library((PLAIN:gsub("%%d", "0")))
side.heading "twenty lines of MSL to bitcode, beside Clang's start"
local version = { "clang --version", shell("'" .. clang() .. "' --version") }
local ratios = side.row("to bitcode", version, { "plain", fresh(PLAIN) },
  { "plain, afresh", afresh },
  { "plain, at the prompt", at_the_prompt(PLAIN) },
  { "with a macro", fresh(MACROS) },
  { "with textures", fresh(TEXTURE) }, { "mettle compile",
    shell("'" .. program .. "' compile - < " .. name) })
os.remove(name)
side.note("clang --version", "20 lines to bitcode", ratios.plain)
side.note("clang --version", "20 lines to bitcode by a Clang started afresh", ratios["plain, afresh"])
side.note("clang --version", "20 lines to bitcode at the prompt, where a Clang waits", ratios["plain, at the prompt"])
side.note("clang --version", "20 lines with a macro to bitcode", ratios["with a macro"])
side.note("clang --version", "20 lines with textures to bitcode", ratios["with textures"])
side.note("clang --version", "mettle compile of 20 lines", ratios["mettle compile"])

local list, anew, compile = {}, {}, fresh(PLAIN)
for i = 1, 15 do list[i], anew[i] = compile(1), afresh(1) end
side.limit("20 lines to bitcode, Clang's process included", timing.summary(list), 0.04)
side.limit("the same by a Clang started afresh, as for the first kernel of a program", timing.summary(anew), 0.04)
side.write "Compiling: the time of a kernel's source to its bitcode, Clang's process included"
