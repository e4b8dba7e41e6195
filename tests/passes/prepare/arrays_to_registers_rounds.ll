; A loop whose end is known only once the loop around it is unrolled: that takes
; a second round, where no index was chosen in the first. The third is for
; indices that are known behind them.
; RUN: arrays-to-registers
; CHECK: define void @k(
; CHECK-NOT: alloca
; CHECK: ret void
define void @k(ptr %in, ptr %out) {
entry:
  %a = alloca [4 x i32]
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.end ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %p = getelementptr [4 x i32], ptr %a, i32 0, i32 %j
  %q = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %q
  store i32 %x, ptr %p
  %j.next = add i32 %j, 1
  %more = icmp ule i32 %j.next, %i
  br i1 %more, label %inner, label %outer.end
outer.end:
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, 4
  br i1 %again, label %outer, label %done
done:
  %r = getelementptr [4 x i32], ptr %a, i32 0, i32 2
  %y = load i32, ptr %r
  store i32 %y, ptr %out
  ret void
}
