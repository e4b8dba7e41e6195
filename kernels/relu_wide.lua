-- Four elements per thread, as add_wide has them.
local wide = require "kernels.add_wide"

return {
  like = "relu",
  about = "y = x where x is positive, else 0, four per thread",
  launch = wide.launch,
  try = wide.try,
}
