-- widths.lua - a page that holds every third page of a site (METTLE_TESTS=all:
-- all), at the width of a telephone and of a desk, and notes on itself which
-- are wider than that.
--
--   mettle tests/site/widths.lua FOLDER >FOLDER/widths.html
--
-- A frame with its page as text may be looked into from here; one that is
-- loaded from a file may not. Scripts and pictures are left out: a picture is
-- never wider than its column, and there are many.
local system = require "mettle.system"
local json = require "mettle.json"
local folder = arg[1]
local style = assert(io.open(folder .. "/style.css")):read "a"
local list = { __list = true }
local pages = setmetatable({}, list)
local every, number = os.getenv "METTLE_TESTS" == "all" and 1 or 3, 0
local function add(under)
  for _, name in ipairs(system.list(folder .. "/" .. under)) do
    local path = folder .. "/" .. under .. name
    if system.there(path) == "folder" then add(under .. name .. "/")
    elseif name:find "%.html$" and name ~= "widths.html" then
      number = number + 1
      if number % every ~= 0 then goto next end
      local text = assert(io.open(path)):read "a"
      text = text:gsub("<script.-</script>", ""):gsub("<img[^>]*>", "")
        :gsub("<link[^>]*>", ""):gsub("</head>",
          function() return "<style>" .. style .. "</style></head>" end)
      pages[#pages + 1] = setmetatable({ under .. name, text }, list)
    end
    ::next::
  end
end
add ""
print(([[
<!DOCTYPE html><html><body><script>
const pages = %s;
const wide = [];
for (const width of [390, 1280]) {
  const frame = document.createElement("iframe");
  frame.width = width; frame.height = 900;
  document.body.append(frame);
  for (const [name, text] of pages) {
    const inside = frame.contentDocument;
    inside.open(); inside.write(text); inside.close();
    const root = inside.documentElement;
    if (root.scrollWidth > width)
      wide.push(name + " is " + root.scrollWidth + " wide at " + width);
  }
}
document.documentElement.dataset.pages = pages.length;
document.body.innerHTML = "<pre id=wide>" + wide.join("\n") + "</pre>";
</script></body></html>]]):format((json.encode(pages):gsub("</", "<\\/"))))
