-- rule.lua - what a task forbids or asks for, whatever the answer costs.
--
--   { forbid = "thread_position_in_grid", say = "…" }
--   { parameters = { "x", "sums", "n" }, say = "…" }
--                        in the order of their bindings
--
-- A rule is judged by the kernel's parameters as the compiler saw them, so it
-- does not matter how the source is written; as the host's compiler did, since
-- Metal does not tell of a thread's places.
--
-- rule.judge(rule, kernel) -> nil, or what is against it; rule.mistake(rule,
-- data) -> nil, or why the rule itself makes no sense.
local check = require "lua.check.check"
local workload = require "lua.workload.workload"

local rule = {}

-- The names of what the kernel is given, in the order of the bindings: what a
-- program binds to index 0 comes first, wherever it is declared.
local function bound_names(kernel)
  local list, names = {}, {}
  for _, p in ipairs(kernel.params) do
    if p.kind ~= "builtin" and p.kind ~= "threadgroup" then
      list[#list + 1] = p
    end
  end
  table.sort(list, function(a, b)
    if a.kind ~= b.kind then return a.kind < b.kind end
    return (a.index or 0) < (b.index or 0)
  end)
  for i, p in ipairs(list) do names[i] = p.name end
  return names
end

local function judge_parameters(r, kernel)
  local got = table.concat(bound_names(kernel), ", ")
  local wanted = table.concat(r.parameters, ", ")
  return got ~= wanted
    and (
      "its arguments are bound in the order %s, "
        .. "and the task asks for %s"):format(got, wanted) or nil
end

local function judge_forbidden(r, kernel)
  for _, p in ipairs(kernel.params) do
    if p.attribute == r.forbid then
      return ("it uses [[%s]], which the task rules out"):format(r.forbid)
    end
  end
end

-- 'kernel' is a kernel, or a table of them by name.
function rule.judge(r, kernel)
  for _, k in pairs(workload.is_kernel(kernel) and { kernel } or kernel) do
    local there, host = pcall(check.host, k)
    if there then k = host end
    local why = r.forbid and judge_forbidden(r, k) or r.parameters
      and judge_parameters(r, k)
    if why then return why end
  end
end

local TRIAL = [=[
kernel void trial(device uint *out [[buffer(0)]], uint v [[%s]]) { out[0] = v; }
]=]

function rule.mistake(r, data)
  if type(r) ~= "table" or (r.forbid == nil) == (r.parameters == nil) then
    return "a rule has either 'forbid' or 'parameters'"
  end
  if type(r.say) ~= "string" then
    return "a rule needs say: a sentence that tells why"
  end
  if r.parameters then
    if type(r.parameters) ~= "table" or #r.parameters == 0 then
      return "parameters is a list of names"
    end
    if data.kernels then return "parameters is for lessons of one kernel" end
    return nil
  end
  local ok = type(r.forbid) == "string" and r.forbid:find "^[%l_]+$"
    and pcall(gpu.kernel, TRIAL:format(r.forbid))
  return not ok
    and ("forbid names no attribute of a thread's place: '%s'"):format(
      tostring(r.forbid)) or nil
end

return rule
