; Components side by side are loaded together, each run with the alignment that
; its place has, also where swizzles choose them, three deep; what is deeper is
; used as a whole. A vector of which all or nothing is used, in private memory,
; volatile, less aligned than vectors are, of bits or of more than 63 components
; stays as it is.
; RUN: split-vector-loads --kernel runs
; CHECK: define void @runs(
; CHECK-NEXT: getelementptr float, ptr %in, i32 0
; CHECK-NEXT: load <2 x float>, ptr %1, align 32
; CHECK-NEXT: extractelement <2 x float> %2, i32 0
; CHECK-NEXT: insertelement <4 x float> poison, float %3, i32 0
; CHECK-NEXT: extractelement <2 x float> %2, i32 1
; CHECK-NEXT: insertelement <4 x float> %4, float %5, i32 1
; CHECK-NEXT: getelementptr float, ptr %in, i32 3
; CHECK-NEXT: load float, ptr %7, align 4
; CHECK-NEXT: insertelement <4 x float> %6, float %8, i32 3
; CHECK-NEXT: extractelement <4 x float> %9, i32 0
; RUN LAST: split-vector-loads --kernel last
; LAST: define void @last(
; LAST-NEXT: getelementptr float, ptr %in, i32 2
; LAST-NEXT: load <2 x float>, ptr %1, align 4
; LAST-NEXT: extractelement <2 x float> %2, i32 0
; LAST-NEXT: insertelement <4 x float> poison, float %3, i32 2
; RUN SWIZZLE: split-vector-loads --kernel swizzled
; SWIZZLE: define void @swizzled(
; SWIZZLE-NEXT: getelementptr float, ptr %in, i32 1
; SWIZZLE-NEXT: load float, ptr %1, align 4
; SWIZZLE-NEXT: insertelement <4 x float> poison, float %2, i32 1
; SWIZZLE-NEXT: %a = shufflevector
; RUN DEEP: split-vector-loads --kernel deeper
; DEEP: define void @deeper(
; DEEP-NEXT: getelementptr float, ptr %in, i32 1
; DEEP: getelementptr float, ptr %in, i32 3
; RUN LONG: split-vector-loads --kernel long
; LONG: define void @long(
; LONG-NEXT: getelementptr i8, ptr %in, i32 62
; LONG-NEXT: load i8, ptr %1, align 1
; RUN SECOND: split-vector-loads --kernel second
; SECOND: define void @second(
; SECOND-NEXT: load <4 x float>, ptr %in
; RUN BOTH: split-vector-loads --kernel both
; BOTH: define void @both(
; BOTH-NEXT: load <4 x float>, ptr %in
; RUN ALL: split-vector-loads --kernel all
; ALL: define void @all(
; ALL-NEXT: load <2 x float>, ptr %in
; RUN NONE: split-vector-loads --kernel none
; NONE: define void @none(
; NONE-NEXT: load <4 x float>, ptr %in
; RUN CHANGING: split-vector-loads --kernel changing
; CHANGING: define void @changing(
; CHANGING-NEXT: load volatile <4 x float>, ptr %in
; RUN PACKED: split-vector-loads --kernel packed
; PACKED: define void @packed(
; PACKED-NEXT: load <4 x float>, ptr %in
; RUN BITS: split-vector-loads --kernel bits
; BITS: define void @bits(
; BITS-NEXT: load <8 x i1>, ptr %in
; RUN LONGER: split-vector-loads --kernel longer
; LONGER: define void @longer(
; LONGER-NEXT: load <64 x i8>, ptr %in
; RUN SCALAR: split-vector-loads --kernel scalar
; SCALAR: define void @scalar(
; SCALAR-NEXT: load float, ptr %in
; SCALAR-NEXT: load i32, ptr %in
; RUN OWN: split-vector-loads --kernel private
; OWN: define void @private(
; OWN-NEXT: alloca
; OWN-NEXT: load <4 x float>, ptr %p
define void @runs(ptr %in, ptr %out) {
  %v = load <4 x float>, ptr %in, align 32
  %x = extractelement <4 x float> %v, i32 0
  %y = extractelement <4 x float> %v, i32 1
  %z = extractelement <4 x float> %v, i32 3
  store float %x, ptr %out
  store float %y, ptr %out
  store float %z, ptr %out
  ret void
}
define void @last(ptr %in, ptr %out) {
  %v = load <4 x float>, ptr %in
  %x = extractelement <4 x float> %v, i32 2
  %y = extractelement <4 x float> %v, i32 3
  store float %x, ptr %out
  store float %y, ptr %out
  ret void
}
define void @swizzled(ptr %in, ptr %out) {
  %v = load <4 x float>, ptr %in
  %a = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %b = shufflevector <4 x float> %a, <4 x float> poison, <2 x i32> <i32 0, i32 2>
  %c = shufflevector <2 x float> %b, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %x = extractelement <2 x float> %c, i32 0
  store float %x, ptr %out
  ret void
}
define void @deeper(ptr %in, ptr %out) {
  %v = load <4 x float>, ptr %in
  %a = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %b = shufflevector <4 x float> %a, <4 x float> poison, <2 x i32> <i32 0, i32 2>
  %c = shufflevector <2 x float> %b, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %d = shufflevector <2 x float> %c, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %x = extractelement <2 x float> %d, i32 0
  store float %x, ptr %out
  ret void
}
define void @second(ptr %in, ptr %out) {
  %v = load <4 x float>, ptr %in
  %a = shufflevector <4 x float> poison, <4 x float> %v, <2 x i32> <i32 4, i32 5>
  %x = extractelement <2 x float> %a, i32 0
  store float %x, ptr %out
  ret void
}
define void @both(ptr %in, ptr %out) {
  %v = load <4 x float>, ptr %in
  %a = shufflevector <4 x float> %v, <4 x float> %v, <2 x i32> <i32 0, i32 5>
  %x = extractelement <2 x float> %a, i32 0
  store float %x, ptr %out
  ret void
}
define void @all(ptr %in, ptr %out) {
  %v = load <2 x float>, ptr %in
  %x = extractelement <2 x float> %v, i32 0
  %y = extractelement <2 x float> %v, i32 1
  store float %x, ptr %out
  store float %y, ptr %out
  ret void
}
define void @none(ptr %in, ptr %out) {
  %v = load <4 x float>, ptr %in
  ret void
}
define void @private(ptr %in, ptr %out) {
  %p = alloca <4 x float>
  %v = load <4 x float>, ptr %p
  %x = extractelement <4 x float> %v, i32 0
  store float %x, ptr %out
  ret void
}
define void @changing(ptr %in, ptr %out) {
  %v = load volatile <4 x float>, ptr %in
  %x = extractelement <4 x float> %v, i32 0
  store float %x, ptr %out
  ret void
}
define void @packed(ptr %in, ptr %out) {
  %v = load <4 x float>, ptr %in, align 8
  %x = extractelement <4 x float> %v, i32 0
  store float %x, ptr %out
  ret void
}
define void @bits(ptr %in, ptr %out) {
  %v = load <8 x i1>, ptr %in
  %x = extractelement <8 x i1> %v, i32 0
  store i1 %x, ptr %out
  ret void
}
define void @long(ptr %in, ptr %out) {
  %v = load <63 x i8>, ptr %in
  %x = extractelement <63 x i8> %v, i32 62
  store i8 %x, ptr %out
  ret void
}
define void @longer(ptr %in, ptr %out) {
  %v = load <64 x i8>, ptr %in
  %x = extractelement <64 x i8> %v, i32 63
  store i8 %x, ptr %out
  ret void
}
define void @scalar(ptr %in, ptr %out) {
  %x = load float, ptr %in
  %i = load i32, ptr %in
  store float %x, ptr %out
  store i32 %i, ptr %out
  ret void
}
