; A loop of few known iterations stays one where an iteration has enough to do:
; here 32 numbers are loaded and computed with, eight times.
; RUN: ptx-keep-for-later
; CHECK: br i1 %c, label %loop, label %end
; CHECK-NOT: !llvm.loop
define void @k(ptr %in, ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi <32 x i32> [ zeroinitializer, %entry ], [ %s1, %loop ]
  %p = getelementptr <32 x i32>, ptr %in, i32 %i
  %x = load <32 x i32>, ptr %p
  %y = mul <32 x i32> %x, %x
  %s1 = add <32 x i32> %s, %y
  %i1 = add i32 %i, 1
  %c = icmp ne i32 %i1, 8
  br i1 %c, label %loop, label %end
end:
  store <32 x i32> %s1, ptr %out
  ret void
}
