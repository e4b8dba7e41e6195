-- examples.lua FOLDER - every example of the help as a file of its own, each
-- line where it stands in the help, for a Lua language server to read. At the
-- prompt variables are global; here they are local, since the server takes a
-- global of one file for that of another.
local folder = arg[1]
local help = require "lua.reference.help"
local count = 0

local function as_local(line)
  if line:find "^next%(%)" then return "" end -- Lua's own needs a table
  if line:find "^end%f[%W]" then return line end
  local names = line:match "^([%a_][%w_, ]-) = "
  for part in (names or "?"):gmatch "[^,]+" do
    if not part:find "^ ?[%a_][%w_]*$" then return line end
  end
  return "local " .. line
end

for _, name in ipairs(help.topics()) do
  local lines, inside, any = {}, false, false
  for line in (help.topic(name).body .. "\n"):gmatch "([^\n]*)\n" do
    if line:find "^```" then
      inside = line:find "^```lua" ~= nil
      line = ""
    end
    lines[#lines + 1] = inside and as_local(line) or ""
    any = any or inside
  end
  if any then
    local file = assert(io.open(("%s/%s.lua"):format(folder, name), "w"))
    file:write(table.concat(lines, "\n"), "\n")
    file:close()
    count = count + 1
  end
end
print(count .. " examples")
