-- host_kernel.lua - a kernel of any device for the one that checks, profiles
-- and records: the host device, by its source.
--
--   host_kernel.of(k)   k itself, or the same kernel compiled for the host
local watch = require "mettle.check"

local host_kernel = {}

-- A kernel's own; kept, since a lesson checks it often.
local on_host = setmetatable({}, { __mode = "k" })

function host_kernel.of(k)
  if k.device == watch.device then return k end
  if not on_host[k] then on_host[k] = watch.compile(k.source, k.options) end
  return on_host[k]
end

return host_kernel
