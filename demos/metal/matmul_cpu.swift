// matmul_cpu.swift - c = a · b with Accelerate: the CPU, not the GPU.
//
// docs/swift.md shows it beside matmul_gpu.swift, which prints the same.
//
//   swiftc -O matmul_cpu.swift -o matmul_cpu
import Accelerate

let (m, n, k) = (100, 80, 60)  // a has m rows, b has n columns, k is between
let a = (0..<m * k).map { Float($0 % 7) }
let b = (0..<k * n).map { Float($0 % 3) }
var c = [Float](repeating: 0, count: m * n)

// rows one after another, a step of 1 from element to element; the sizes are
// m, n, k in this order
vDSP_mmul(a, 1, b, 1, &c, 1, vDSP_Length(m), vDSP_Length(n), vDSP_Length(k))

print("c[0] = \(c[0]), c[\(m * n - 1)] = \(c[m * n - 1]), sum = \(c.reduce(0, +))")
