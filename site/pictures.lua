-- pictures.lua - the site's pictures, made by the program itself.
--
--   pictures.make(folder, animated)   writes them under FOLDER/pictures, and
--                                     says which there are
--
-- A drawing for each kernel of the library that can be drawn at a small size,
-- and, if 'animated', an animation of each live example.
local kernels = require "lua.workload.kernels"
local system = require "mettle.system"

local pictures = {}

local ELEMENTS = 256 -- a drawing has room for
local FRAMES, SIDE = 40, 160

local function drawing(folder, name)
  local sizes = kernels.small_sizes(name, ELEMENTS)
  local words = { name }
  for key, v in pairs(sizes) do words[key] = v end
  local ok, d = pcall(draw, words)
  if not ok then return nil end -- more accesses than a picture has room for
  local path = ("pictures/%s.svg"):format(name)
  d:save(folder .. "/" .. path)
  return { path = path, sizes = kernels.sizes_text(sizes):gsub(",(%d)", "%1"),
    alt = ("cells of the buffers of %s, coloured by SIMD-group"):format(name) }
end

local function animations(folder)
  local all = {}
  for _, file in ipairs(system.list "demos/live") do
    local name = file:match "^(.+)%.metal$"
    if name then
      local path = ("pictures/%s.gif"):format(name)
      play { name, frames = FRAMES, size = { SIDE, SIDE },
        save = folder .. "/" .. path }
      all[#all + 1] = { name = name, path = path }
    end
  end
  return all
end

function pictures.make(folder, animated)
  local made = { drawings = {}, animations = {} }
  for _, name in ipairs(kernels.names()) do
    made.drawings[name] = drawing(folder, name)
  end
  if animated then made.animations = animations(folder) end
  return made
end

return pictures
