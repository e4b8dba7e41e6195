-- columns.lua - names lines of code that are longer than 80 columns.
--
--   mettle scripts/columns.lua FILE...      status 1 if there are any
--
-- Left out: tables between "clang-format off" and "on"; in Lua, a line that is
-- too long for one string in it, since a message in pieces cannot be searched
-- for, and what stands in a long string, which is another language's.
local LIMIT = 80

-- The line without its strings, if one of them is long.
local function without_long_string(line)
  local long
  local rest = line:gsub("\\.", "xx"):gsub("(['\"])(.-)%1", function(_, text)
    if #text > 20 then long = true end
    return ""
  end)
  return long and rest or line
end

local function is_long(line)
  return (utf8.len(line) or #line) > LIMIT
end

local function check(path)
  local number, table_, text, found = 0, false, nil, 0
  local lua = path:find "%.lua$"
  for line in io.lines(path) do
    number = number + 1
    if line:find "clang%-format off" then table_ = true end
    if line:find "clang%-format on" then table_ = false end
    local inside = text
    if lua and text then
      if line:find(text, 1, true) then text = nil end
    elseif lua and not line:find "^%s*%-%-" then
      local level = line:match "%[(=*)%[[^%]]*$"
      if level then text = "]" .. level .. "]" end
    end
    local code = lua and without_long_string(line) or line
    if not table_ and not inside and is_long(line) and is_long(code) then
      print(("%s:%d: %d columns"):format(path, number, utf8.len(line) or #line))
      found = found + 1
    end
  end
  return found
end

local found = 0
for _, path in ipairs(arg) do found = found + check(path) end
os.exit(found == 0 and 0 or 1)
