// saxpy.swift - y = a x + y on the GPU of a Mac, as a program of your own.
//
// The lesson "metal-host-side" explains it line by line.
//
//   swiftc saxpy.swift -o saxpy
import CoreGraphics  // without it a program without windows has no default device
import Metal

let source = """
kernel void saxpy(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant float     &a [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
}
"""
let n = 1000
var a: Float = 2

let device = MTLCreateSystemDefaultDevice()!
let queue = device.makeCommandQueue()!
let library = try device.makeLibrary(source: source, options: nil)
let function = library.makeFunction(name: "saxpy")!
let saxpy = try device.makeComputePipelineState(function: function)

let bytes = n * MemoryLayout<Float>.stride
let x = device.makeBuffer(length: bytes, options: .storageModeShared)!
let y = device.makeBuffer(length: bytes, options: .storageModeShared)!
let xs = x.contents().bindMemory(to: Float.self, capacity: n)
let ys = y.contents().bindMemory(to: Float.self, capacity: n)
for i in 0..<n {
  xs[i] = Float(i)
  ys[i] = 1
}

let commands = queue.makeCommandBuffer()!
let encoder = commands.makeComputeCommandEncoder()!
encoder.setComputePipelineState(saxpy)
encoder.setBuffer(x, offset: 0, index: 0)
encoder.setBuffer(y, offset: 0, index: 1)
encoder.setBytes(&a, length: MemoryLayout<Float>.stride, index: 2)
encoder.dispatchThreads(MTLSize(width: n, height: 1, depth: 1),
  threadsPerThreadgroup: MTLSize(width: 256, height: 1, depth: 1))
encoder.endEncoding()

commands.commit()
commands.waitUntilCompleted()
if let error = commands.error { fatalError("\(error)") }
print("y[999] = \(ys[999])")
