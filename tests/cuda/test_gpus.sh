#!/bin/bash
# test_gpus.sh - two NVIDIA GPUs are two devices: each runs kernels, a buffer
# moves from one to the other and back, and there is no third. On the stand-in
# for the driver: no machine with two has been tried.
#
# Guards: devices/cuda: two GPUs as two devices, on the stand-in
METTLE_CUDA_DRIVER=$(dirname "$METTLE")/tests/cuda/libcuda.so.1
if [ ! -f "$METTLE_CUDA_DRIVER" ] ||
  [ ! -f "$(dirname "$METTLE")/host.so" ]; then
  echo "ok 1 - two GPUs # SKIP no stand-in for NVIDIA's driver, or no LLVM"
  echo "1..1"
  exit 0
fi
export METTLE_CUDA_DRIVER CUDA_STANDIN=gpus=2
exec "$METTLE" - <<'END'
local t = dofile "tests/tap.lua"
local ADD = [=[
kernel void add(device float *x [[buffer(0)]], constant float &y [[buffer(1)]],
                uint i [[thread_position_in_grid]]) { x[i] += y; }]=]
t.test("two GPUs: a buffer goes to the one whose kernel uses it", function()
  local add, x = {}
  for _, name in ipairs { "cuda", "cuda:1" } do
    gpu.use(name)
    t.equal(gpu.device.name, name)
    add[name] = gpu.kernel(ADD)
    x = x or gpu.buffer(1000):fill(1)
    add[name] { x, 10, grid = 1000 }
    t.equal(x.device, name)
  end
  t.equal(x[999], 21)
  add.cuda { x, 100, grid = 500 }
  t.equal(x.device, "cuda")
  t.equal(x[499], 121)
  t.equal(x[500], 21)
end)
t.test("two GPUs: a fault on one leaves the other's memory alone", function()
  gpu.use "cuda"
  local here = gpu.buffer(1000):fill(1)
  gpu.kernel(ADD) { here, 1, grid = 1000 }
  gpu.use "cuda:1"
  local wild = gpu.kernel "kernel void wild(device float *x [[buffer(0)]]) { x[0x3fffffff] = 1; }"
  t.raises("kernel 'wild'", wild, { gpu.buffer(8), grid = 1 })
  t.equal(here[999], 2)
end)
t.test("two GPUs: there is no third", function()
  t.raises("there is no GPU 2 here: NVIDIA's driver has 2", gpu.use, "cuda:2")
end)
t.done()
END
