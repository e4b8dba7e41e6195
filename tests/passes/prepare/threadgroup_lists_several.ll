; Each list that is used becomes a variable, whatever its type; every use of it
; is the variable's. Lists of other addresses, and what is defined elsewhere,
; stay.
; RUN: threadgroup-lists
; CHECK: define void @k(ptr %out, i32 %i) {
; CHECK-NEXT: %mt.list1 = alloca { i32, [1 x ptr] }, align 16
; CHECK-NEXT: store { i32, [1 x ptr] } { i32 7, [1 x ptr] [ptr getelementptr ([4 x float], ptr @b, i64 0, i64 1)] }, ptr %mt.list1, align 8
; CHECK-NEXT: %mt.list = alloca [2 x ptr], align 16
; CHECK-NEXT: store [2 x ptr] [ptr @plain, ptr @a], ptr %mt.list, align 8
; CHECK-NEXT: %1 = getelementptr inbounds [2 x ptr], ptr %mt.list, i64 0, i64 1
; CHECK-NEXT: %x = load ptr, ptr %1, align 8
; CHECK-NEXT: %at = getelementptr [2 x ptr], ptr @other, i32 0, i32 %i
; CHECK-NEXT: %y = load ptr, ptr %at, align 8
; CHECK-NEXT: %2 = getelementptr inbounds { i32, [1 x ptr] }, ptr %mt.list1, i64 0, i32 1, i64 0
; CHECK-NEXT: %z = load ptr, ptr %2, align 8
; CHECK-NEXT: %w = load ptr, ptr @outside, align 8
; CHECK-NEXT: %same = icmp eq ptr %mt.list, %mt.list
; CHECK-NEXT: store float 1.000000e+00, ptr %x, align 4
; CHECK-NEXT: store float 1.000000e+00, ptr %z, align 4
; CHECK-NEXT: store ptr %mt.list1, ptr %out, align 8
; CHECK-NEXT: ret void
@a = internal global float undef, section ".msl.threadgroup"
@b = internal global [4 x float] undef, section ".msl.threadgroup"
@plain = internal global float 0.0
@other = internal constant [2 x ptr] [ptr @plain, ptr @plain]
@first = internal constant [2 x ptr] [ptr @plain, ptr @a]
@unused = internal constant [2 x ptr] [ptr @a, ptr @b]
@second = internal constant { i32, [1 x ptr] } { i32 7, [1 x ptr] [ptr getelementptr ([4 x float], ptr @b, i64 0, i64 1)] }
@outside = external constant ptr
define void @k(ptr %out, i32 %i) {
  %x = load ptr, ptr getelementptr ([2 x ptr], ptr @first, i64 0, i64 1)
  %at = getelementptr [2 x ptr], ptr @other, i32 0, i32 %i
  %y = load ptr, ptr %at
  %z = load ptr, ptr getelementptr ({ i32, [1 x ptr] }, ptr @second, i64 0, i32 1, i64 0)
  %w = load ptr, ptr @outside
  %same = icmp eq ptr @first, @first
  store float 1.0, ptr %x
  store float 1.0, ptr %z
  store ptr @second, ptr %out
  ret void
}
