-- worker.lua - a Mettle that runs kernels of the library as it is told, for
-- bench_scaling.lua: "load NAME", then "run N" answers "ok SECONDS".
local kernels = require "lua.kernels"
local p

local function say(...)
  print(...)
  io.stdout:flush()
end

say "ok"
for line in io.lines() do
  local word, rest = line:match "^(%a+) ?(.*)$"
  if word == "load" then
    p = kernels.problem(rest)
    local check = p:verify()
    say(check.ok and "ok" or "error " .. check.text)
  elseif word == "run" then
    say(("ok %.9g"):format(select(2, p:run(tonumber(rest)))))
  elseif word == "quit" then
    break
  else
    say "error what is this line?"
  end
end
