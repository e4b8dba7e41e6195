-- The sum of each row of a matrix, a thread for each row.
rows, columns = 64, 256
naive = gpu.kernel [=[
kernel void rows(device const float *x, device float *y,
                 constant uint &columns,
                 uint row [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint i = 0; i < columns; i++) sum += x[row * columns + i];
  y[row] = sum;
}]=]

x, y = gpu.buffer(rows, columns):random(1), gpu.buffer(rows)
launch = {x = x, y = y, columns = columns, grid = rows}

output = "y"
function expected(row)
  sum = 0
  for i = 0, columns - 1 do sum = sum + 1 end
  return sum
end
