// matmul_gpu.swift - c = a · b on the GPU of a Mac, by one of Mettle's kernels.
//
// docs/swift.md explains it. The kernel is kernels/matmul_tiled.metal.
//
//   swiftc -O matmul_gpu.swift -o matmul_gpu
import CoreGraphics  // without it a program without windows has no default device
import Metal

let source = """
#include <metal_stdlib>
using namespace metal;

// c = a · b, tile by tile. A threadgroup of TILE × TILE threads computes a tile
// of c. For each step along k it fetches one tile of a and one of b to
// threadgroup memory, where each element then serves TILE threads: device
// memory is read TILE times less than in matmul_naive.
#ifndef TILE
#define TILE 16
#endif

kernel void matmul_tiled(device const float *a [[buffer(0)]],
                         device const float *b [[buffer(1)]],
                         device float       *c [[buffer(2)]],
                         constant uint &m [[buffer(3)]],
                         constant uint &n [[buffer(4)]],
                         constant uint &k [[buffer(5)]],
                         uint2 local [[thread_position_in_threadgroup]],
                         uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float tile_a[TILE][TILE];
  threadgroup float tile_b[TILE][TILE];
  uint row = group.y * TILE + local.y, column = group.x * TILE + local.x;
  float sum = 0;
  for (uint first = 0; first < k; first += TILE) {
    // zeros beyond the edge: they add nothing, and nobody has to ask below
    uint i = first + local.x, j = first + local.y;
    tile_a[local.y][local.x] = row < m && i < k ? a[row * k + i] : 0;
    tile_b[local.y][local.x] = j < k && column < n ? b[j * n + column] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);  // the tiles are there

    for (uint t = 0; t < TILE; t++)
      sum += tile_a[local.y][t] * tile_b[t][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);  // nobody needs them more
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
"""

let (m, n, k) = (100, 80, 60)  // a has m rows, b has n columns, k is between
let a = (0..<m * k).map { Float($0 % 7) }
let b = (0..<k * n).map { Float($0 % 3) }

guard let device = MTLCreateSystemDefaultDevice(),
  let queue = device.makeCommandQueue()
else { fatalError("no GPU for Metal") }

// compiled now, by the system's compiler: what Mettle does with what you type
let library = try device.makeLibrary(source: source, options: nil)
let function = library.makeFunction(name: "matmul_tiled")!
let matmul = try device.makeComputePipelineState(function: function)

let size = MemoryLayout<Float>.stride
let shared = MTLResourceOptions.storageModeShared
let aBuffer = device.makeBuffer(bytes: a, length: a.count * size, options: shared)!
let bBuffer = device.makeBuffer(bytes: b, length: b.count * size, options: shared)!
let cBuffer = device.makeBuffer(length: m * n * size, options: shared)!

let commands = queue.makeCommandBuffer()!
let encoder = commands.makeComputeCommandEncoder()!
encoder.setComputePipelineState(matmul)
encoder.setBuffer(aBuffer, offset: 0, index: 0)
encoder.setBuffer(bBuffer, offset: 0, index: 1)
encoder.setBuffer(cBuffer, offset: 0, index: 2)
for (index, value) in [m, n, k].enumerated() {
  var word = UInt32(value)  // constant uint &
  encoder.setBytes(&word, length: MemoryLayout<UInt32>.size, index: 3 + index)
}
// whole tiles of 16 × 16: some of the last threads are past the edge of c
let tile = 16
encoder.dispatchThreadgroups(
  MTLSize(width: (n + tile - 1) / tile, height: (m + tile - 1) / tile, depth: 1),
  threadsPerThreadgroup: MTLSize(width: tile, height: tile, depth: 1))
encoder.endEncoding()

commands.commit()
commands.waitUntilCompleted()
if let error = commands.error { fatalError("\(error)") }

let found = cBuffer.contents().bindMemory(to: Float.self, capacity: m * n)
let c = UnsafeBufferPointer(start: found, count: m * n)
print("c[0] = \(c[0]), c[\(m * n - 1)] = \(c[m * n - 1]), sum = \(c.reduce(0, +))")
