; Every use of a threadgroup variable is bound: several of one instruction, in
; constant expressions, vectors and structs, in phis; not those of another
; function.
; RUN: bind-threadgroup
; CHECK: define void @k(ptr %memory, i1 %c)
; CHECK-NEXT: entry:
; CHECK-NEXT: %0 = getelementptr inbounds i8, ptr %memory, i64 0
; CHECK-NEXT: %1 = getelementptr inbounds i8, ptr %memory, i64 32
; CHECK: store ptr %1, ptr %1
; CHECK-NEXT: = getelementptr inbounds
; CHECK: store ptr %0, ptr %
; CHECK: define internal void @other
; CHECK-NEXT: store i8 0, ptr @b
; CHECK-COUNT: 1 @b,
; CHECK-COUNT: 1 ptr @b
; CHECK-COUNT: 1 @a
; CHECK-COUNT: 1 @unused
@a = internal global [20 x i8] undef, section ".msl.threadgroup"
@b = internal global [8 x i32] undef, section ".msl.threadgroup"
@unused = internal global [8 x i32] undef, section ".msl.threadgroup"
define void @k(ptr %memory, i1 %c) {
entry:
  store ptr @b, ptr @b
  store ptr @a, ptr getelementptr ([8 x i32], ptr @b, i64 0, i64 3)
  ret void
}
define internal void @other() {
  store i8 0, ptr @b
  ret void
}
