; A struct with an array that is indexed becomes a variable for each member, so
; that the others can be in registers; one whose address is taken does not.
; RUN: split-structs
; CHECK: define void @k(
; CHECK: alloca float
; CHECK-NEXT: alloca [3 x i32]
; CHECK-NOT: alloca { float, [3 x i32] }
; RUN SIMPLE: split-structs,simplify
; SIMPLE-COUNT: 1 alloca
; SIMPLE: alloca [3 x i32]
; SIMPLE-NOT: alloca { float
define void @k(ptr %out, i32 %i, float %x) {
  %ray = alloca { float, [3 x i32] }
  %at = getelementptr { float, [3 x i32] }, ptr %ray, i32 0, i32 0
  store float %x, ptr %at
  %two = getelementptr { float, [3 x i32] }, ptr %ray, i32 0, i32 1, i32 2
  store i32 7, ptr %two
  %one = getelementptr { float, [3 x i32] }, ptr %ray, i32 0, i32 1, i32 %i
  %y = load i32, ptr %one
  %z = load float, ptr %at
  store i32 %y, ptr %out
  store float %z, ptr %out
  ret void
}
