-- A kernel of your own, as you would write it first. The example here does
-- nothing useful: put yours in its place.
n = 4096
naive = gpu.kernel [=[
kernel void copy(device const float *x, device float *y,
                 uint i [[thread_position_in_grid]]) {
  y[i] = x[i];
}]=]

-- The launch: arguments by name, and the grid. The same each time.
x, y = gpu.buffer(n):random(1), gpu.buffer(n)
launch = {x = x, y = y, grid = n}

-- What must be in the output, computed by the CPU: the name of the output, and
-- a function that gives the number for each of its places.
output = "y"
function expected(i)
  return 0
end
