-- view.lua - where frames are shown: a window, the terminal, a notebook,
-- or nowhere.
local display = require "lua.session.display"
local view = {}

-- ----------------------------------------------------------------- without one

local none = {}
none.__index = none
function none:show() end
function none:poll() end
function none:close() end

function view.none() return setmetatable({}, none) end

-- -------------------------------------------------------------------- a window

local in_window = { pace = 60 }
in_window.__index = in_window

function in_window:show(frame, top, bottom)
  self.window:show(frame, top, bottom)
end
function in_window:poll() return self.window:poll() end
function in_window:close() self.window:close() end

function view.window(title, width, height)
  local window = require("mettle.window").open(title, width, height)
  return setmetatable({ window = window }, in_window)
end

-- ---------------------------------------------------------------- a notebook

-- Each frame takes the place of the one before. No key reaches it: the
-- notebook's own button stops it.
local on_page = { pace = 10 }
on_page.__index = on_page

function on_page:show(frame, top, bottom, number)
  if number == self.number and top == self.top then return end
  self.number, self.top = number, top
  self.place:show(require("lua.notebook.mime_bundle").frame(frame, top, bottom))
end
function on_page:poll() end
function on_page:close() end

-- ---------------------------------------------------------------------- choice

-- The view by its word; without one, the best that there is.
function view.open(word, title, width, height)
  if type(word) == "table" then return word end
  if word == "none" then return view.none() end
  if display.notebook and (word == nil or word == "notebook") then
    return setmetatable({ place = display.notebook.place() }, on_page)
  end
  if word == "window" then return view.window(title, width, height) end
  if word ~= nil and word ~= "terminal" then
    error(("view is \"window\" or \"terminal\", not %s"):format(tostring(word)),
      0)
  end
  local lacks = word or require("mettle.window").lacks()
  if not lacks then return view.window(title, width, height) end
  local v = require("lua.play.terminal").open()
  if v then return v end
  error((word and "" or lacks .. "; and ") .. "standard output is no terminal: "
    .. "say frames = 60, save = \"x.gif\" to make a file", 0)
end

return view
