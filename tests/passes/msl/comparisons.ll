; A comparison of vectors gives 0 and 1, where Clang's gives 0 and -1.
; RUN: comparisons
; CHECK: define void @k(
; CHECK: icmp slt <2 x i32>
; CHECK: zext <2 x i1>
; CHECK-NOT: sext <2 x i1>
define void @k(ptr %out, <2 x i32> %a, <2 x i32> %b) {
  %c = icmp slt <2 x i32> %a, %b
  %s = sext <2 x i1> %c to <2 x i32>
  %t = trunc <2 x i32> %s to <2 x i8>
  store <2 x i8> %t, ptr %out
  ret void
}
