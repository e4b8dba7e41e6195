-- links.lua - says which links of a site lead nowhere, and what its pages would
-- ask another machine for.
--
--   mettle tests/site/links.lua FOLDER     a line for each; the last a count
local system = require "mettle.system"
local folder = arg[1]

local function read(path)
  local f = io.open(path, "rb")
  local text = f and f:read "a"
  if f then f:close() end
  return text
end

local function pages(under, list)
  for _, name in ipairs(system.list(folder .. "/" .. under)) do
    local path = under .. name
    if system.there(folder .. "/" .. path) == "folder" then
      pages(path .. "/", list)
    else
      list[#list + 1] = path
    end
  end
  return list
end

local function straight(path)
  local parts = {}
  for part in path:gmatch "[^/]+" do
    if part == ".." then parts[#parts] = nil else parts[#parts + 1] = part end
  end
  return table.concat(parts, "/")
end

local places = {} -- of a page: the ids that it has
local function has_place(path, id)
  if not places[path] then
    places[path] = {}
    for found in (read(folder .. "/" .. path) or ""):gmatch 'id="([^"]*)"' do
      places[path][found] = true
    end
  end
  return places[path][id]
end

local faults, links = 0, 0
local function fault(...)
  faults = faults + 1
  print(string.format(...))
end

local function check_link(page, address)
  links = links + 1
  local file, id = address:match "^([^#]*)#?(.*)$"
  local target = file == "" and page
    or straight((page:match "^(.*/)" or "") .. file)
  if not read(folder .. "/" .. target) then
    fault("%s: %s is not there", page, address)
  elseif id ~= "" and not has_place(target, id) then
    fault("%s: %s has no place #%s", page, target, id)
  end
end

-- Does the script's code ask a server? Its strings, a kernel's text among them,
-- may have any words.
local function asks(text)
  local code = text:gsub("\\.", ""):gsub('"[^"]*"', '""')
  return code:find "fetch%(" or code:find "XMLHttp"
end

for _, page in ipairs(pages("", {})) do
  local text = read(folder .. "/" .. page)
  if page:find "%.html$" then
    for tag in text:gmatch "<%a[^>]*>" do
      local address = tag:match 'href="([^"]*)"' or tag:match 'src="([^"]*)"'
      local away = address and address:match "^%a+:"
      if away and not away:find "^https?:$" and not address:find "^data:" then
        fault("%s: %s leads nowhere", page, address)
      elseif away and not tag:find "^<a " then
        fault("%s asks for %s", page, address)
      elseif address and not away then
        check_link(page, address)
      end
    end
  elseif page:find "%.css$" and text:find "url%(" then
    fault("%s asks for something", page)
  elseif page:find "%.js$" and asks(text) then
    fault("%s may ask for something", page)
  end
end
print(("%d links, %d faults"):format(links, faults))
os.exit(faults == 0)
