; Of a vector in shared memory that is written back with other components, these
; are stored: one at a variable place, several from a shuffle, each with its own
; alignment or the vector's where that is less. What is read elsewhere, moved,
; volatile, of bits, or may have changed since it was loaded, is written whole.
; RUN: split-vector-stores --kernel at
; CHECK: define void @at(
; CHECK-NEXT: getelementptr float, ptr %out, i32 %k
; CHECK-NEXT: store float %x, ptr %1, align 4
; CHECK-NEXT: ret void
; RUN PACKED: split-vector-stores --kernel packed
; PACKED: define void @packed(
; PACKED-NEXT: getelementptr i32, ptr %out, i32 1
; PACKED-NEXT: store i32 %x, ptr %1, align 2
; RUN SOME: split-vector-stores --kernel some
; SOME: define void @some(
; SOME-NEXT: extractelement <4 x float> %y, i32 0
; SOME-NEXT: getelementptr float, ptr %out, i32 0
; SOME-NEXT: store float %1, ptr %2
; SOME-NEXT: extractelement <4 x float> %y, i32 2
; SOME-NEXT: getelementptr float, ptr %out, i32 3
; SOME-NEXT: store float %3, ptr %4
; SOME-NEXT: ret void
; RUN PROBE: split-vector-stores --kernel probe
; PROBE: define void @probe(
; PROBE-NEXT: call void @__mt_probe_if
; PROBE-NEXT: getelementptr float, ptr %out, i32 2
; RUN MOVED: split-vector-stores --kernel moved
; MOVED: define void @moved(
; MOVED: store <4 x float> %w
; RUN TURNED: split-vector-stores --kernel turned
; TURNED: define void @turned(
; TURNED: store <4 x float> %w
; RUN CALLED: split-vector-stores --kernel called
; CALLED: define void @called(
; CALLED: store <4 x float> %w
; RUN STORED: split-vector-stores --kernel stored
; STORED: define void @stored(
; STORED: store <4 x float> %w
; RUN ELSEWHERE: split-vector-stores --kernel elsewhere
; ELSEWHERE: define void @elsewhere(
; ELSEWHERE: store <4 x float> %w
; RUN TWICE: split-vector-stores --kernel twice
; TWICE: define void @twice(
; TWICE: store <4 x float> %w
; RUN USED: split-vector-stores --kernel used
; USED: define void @used(
; USED: store <4 x float> %w
; RUN READ: split-vector-stores --kernel read
; READ: define void @read(
; READ: store volatile <4 x float> %w
; RUN LOADED: split-vector-stores --kernel loaded
; LOADED: define void @loaded(
; LOADED: store <4 x float> %w
; RUN BITS: split-vector-stores --kernel bits
; BITS: define void @bits(
; BITS: store <8 x i1> %w
; RUN PRIVATE: split-vector-stores --kernel private
; PRIVATE: define void @private(
; PRIVATE: store <4 x float> %w
; RUN OTHER: split-vector-stores --kernel other
; OTHER: define void @other(
; OTHER: store <4 x float> %w
declare void @__mt_probe_if(i32)
declare void @call()
define void @at(ptr %out, float %x, i32 %k) {
  %v = load <4 x float>, ptr %out
  %w = insertelement <4 x float> %v, float %x, i32 %k
  store <4 x float> %w, ptr %out
  ret void
}
define void @packed(ptr %out, i32 %x) {
  %v = load <4 x i32>, ptr %out, align 2
  %w = insertelement <4 x i32> %v, i32 %x, i32 1
  store <4 x i32> %w, ptr %out, align 2
  ret void
}
define void @some(ptr %out, <4 x float> %y) {
  %v = load <4 x float>, ptr %out
  %w = shufflevector <4 x float> %v, <4 x float> %y, <4 x i32> <i32 4, i32 1, i32 2, i32 6>
  store <4 x float> %w, ptr %out
  ret void
}
define void @probe(ptr %out, float %x) {
  %v = load <4 x float>, ptr %out
  %w = insertelement <4 x float> %v, float %x, i32 2
  call void @__mt_probe_if(i32 2)
  store <4 x float> %w, ptr %out
  ret void
}
define void @moved(ptr %out, <4 x float> %y) {
  %v = load <4 x float>, ptr %out
  %w = shufflevector <4 x float> %v, <4 x float> %y, <4 x i32> <i32 4, i32 1, i32 3, i32 6>
  store <4 x float> %w, ptr %out
  ret void
}
define void @called(ptr %out, float %x) {
  %v = load <4 x float>, ptr %out
  %w = insertelement <4 x float> %v, float %x, i32 2
  call void @call()
  store <4 x float> %w, ptr %out
  ret void
}
define void @stored(ptr %out, ptr %p, float %x) {
  %v = load <4 x float>, ptr %out
  %w = insertelement <4 x float> %v, float %x, i32 2
  store float %x, ptr %p
  store <4 x float> %w, ptr %out
  ret void
}
define void @elsewhere(ptr %out, float %x) {
  %v = load <4 x float>, ptr %out
  br label %next
next:
  %w = insertelement <4 x float> %v, float %x, i32 2
  store <4 x float> %w, ptr %out
  ret void
}
define void @twice(ptr %out, ptr %p, float %x) {
  %v = load <4 x float>, ptr %out
  %w = insertelement <4 x float> %v, float %x, i32 2
  store <4 x float> %w, ptr %out
  store <4 x float> %w, ptr %p
  ret void
}
define void @used(ptr %out, ptr %p, float %x) {
  %v = load <4 x float>, ptr %out
  %w = insertelement <4 x float> %v, float %x, i32 2
  store <4 x float> %w, ptr %out
  store <4 x float> %v, ptr %p
  ret void
}
define void @read(ptr %out, float %x) {
  %v = load <4 x float>, ptr %out
  %w = insertelement <4 x float> %v, float %x, i32 2
  store volatile <4 x float> %w, ptr %out
  ret void
}
define void @loaded(ptr %out, float %x) {
  %v = load volatile <4 x float>, ptr %out
  %w = insertelement <4 x float> %v, float %x, i32 2
  store <4 x float> %w, ptr %out
  ret void
}
define void @bits(ptr %out, i1 %x) {
  %v = load <8 x i1>, ptr %out
  %w = insertelement <8 x i1> %v, i1 %x, i32 2
  store <8 x i1> %w, ptr %out
  ret void
}
define void @private(ptr %out, float %x, i32 %k) {
  %a = alloca [4 x <4 x float>]
  %p = getelementptr [4 x <4 x float>], ptr %a, i32 0, i32 %k
  %v = load <4 x float>, ptr %p
  %w = insertelement <4 x float> %v, float %x, i32 2
  store <4 x float> %w, ptr %p
  ret void
}
define void @other(ptr %out, ptr %in, float %x) {
  %v = load <4 x float>, ptr %in
  %w = insertelement <4 x float> %v, float %x, i32 2
  store <4 x float> %w, ptr %out
  ret void
}
define void @turned(ptr %out, <4 x float> %y) {
  %v = load <4 x float>, ptr %out
  %w = shufflevector <4 x float> %v, <4 x float> %y, <4 x i32> <i32 2, i32 1, i32 2, i32 6>
  store <4 x float> %w, ptr %out
  ret void
}
