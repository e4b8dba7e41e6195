; A vector of bits is loaded and stored as whole words; one of bytes as it is.
; RUN: bit-vectors
; CHECK: define void @k(
; CHECK: load <2 x i32>, ptr %in, align 8
; CHECK-NEXT: bitcast <2 x i32> %1 to <64 x i1>
; CHECK: bitcast <16 x i1> %few to i16
; CHECK-NEXT: store i16 %
; CHECK: load <4 x i8>, ptr %in
; CHECK-NOT: load <64 x i1>
; CHECK-NOT: store <16 x i1>
define void @k(ptr %in, ptr %out) {
  %bits = load <64 x i1>, ptr %in, align 8
  %few = shufflevector <64 x i1> %bits, <64 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  store <16 x i1> %few, ptr %out, align 2
  %bytes = load <4 x i8>, ptr %in, align 4
  store <4 x i8> %bytes, ptr %out, align 4
  ret void
}
