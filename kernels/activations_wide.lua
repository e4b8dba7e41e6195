-- Four elements per thread, as add_wide has them.
local wide = require "kernels.add_wide"

return {
  like = "activations",
  about = "activations, four elements per thread",
  launch = wide.launch,
  try = { { n = 1, which = 0 }, { n = 33, which = 0 }, { n = 1025, which = 1 },
    { n = 1023, which = 2 }, { n = 4099, which = 3 } },
}
