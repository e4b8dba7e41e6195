-- capture_output.lua - what a function prints, kept.
--
--   local text, ok, … = capture.run(f, …)        kept and not shown
--   local text, ok, … = capture.along(out, f, …) shown too: out(piece)
--
-- 'ok, …' is what system.attempt gives of f. print, io.write and io.stdout are
-- other functions meanwhile; what C code or standard error write is not kept.
local system = require "mettle.system"

local capture = {}

local function paper(write)
  local page
  page = setmetatable({
    write = function(_, ...)
      write(...)
      return page
    end,
    flush = function() return page end },
    { __index = function() return function() return page end end })
  return page
end

function capture.along(out, f, ...)
  local real_print, real_out, real_write = print, io.stdout, io.write
  local parts = {}
  local function write(...)
    for i = 1, select("#", ...) do
      local piece = tostring((select(i, ...)))
      parts[#parts + 1] = piece
      if out then out(piece) end
    end
  end
  local page = paper(write)
  io.stdout = page
  io.write = function(...)
    write(...)
    return page
  end
  print = function(...)
    local words = table.pack(...)
    for i = 1, words.n do words[i] = tostring(words[i]) end
    write(table.concat(words, "\t", 1, words.n) .. "\n")
  end
  local results = table.pack(system.attempt(f, ...))
  print, io.stdout, io.write = real_print, real_out, real_write
  return table.concat(parts), table.unpack(results, 1, results.n)
end

function capture.run(f, ...) return capture.along(nil, f, ...) end

return capture
