-- Four elements per thread, as add_wide has them.
local wide = require "kernels.add_wide"

return {
  like = "copy",
  about = "y = x, four elements per thread",
  launch = wide.launch,
  try = wide.try,
}
