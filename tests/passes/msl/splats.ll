; A bool that becomes a vector is 0 or 1 in each component, not -1.
; RUN: splats
; CHECK: define void @k(
; CHECK-NEXT: %1 = zext i1 %c to i32
; CHECK-NEXT: insertelement <2 x i32> poison, i32 %1
; CHECK-NOT: sext
define void @k(ptr %out, i1 %c) {
  %s = sext i1 %c to i32
  %v = insertelement <2 x i32> poison, i32 %s, i64 0
  %w = shufflevector <2 x i32> %v, <2 x i32> poison, <2 x i32> zeroinitializer
  store <2 x i32> %w, ptr %out
  ret void
}
