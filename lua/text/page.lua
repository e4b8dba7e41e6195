-- page.lua - pages of HTML that need nothing else: a template of lua/text/pages
-- with its data as JSON. The head and what all pages look like is
-- pages/head.html, how they go dark pages/theme.js.
--
--   page.of("record", "Step by step: add", data)   the page as text
--   page.escape(text)                              text in HTML and SVG
local system = require "mettle.system"

local page = {}

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;",
  ['"'] = "&quot;" }

function page.escape(text) return (tostring(text):gsub('[&<>"]', entities)) end

local function template(name)
  local path = ("%s/lua/text/pages/%s"):format(system.data, name)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

function page.of(name, title, data)
  local parts = { TITLE = page.escape(title), THEME = template "theme.js",
    DATA = -- no </script> in it
      require("mettle.json").encode(data):gsub("<", "\\u003c") }
  local text = template(name .. ".html"):gsub("^@HEAD@\n", function()
    return template "head.html"
  end)
  return (text:gsub("@(%u+)@", parts))
end

return page
