; An index that is one of two keeps the first array in memory, and no loop has to
; be unrolled for it. Once it is in registers, the end of the loop is known: a
; second round follows a first one that has only resolved indices.
; RUN: arrays-to-registers
; CHECK: define void @k(
; CHECK-NOT: alloca
; CHECK-NOT: br i1
; CHECK: ret void
define void @k(ptr %in, ptr %out) {
entry:
  %a = alloca [3 x i32]
  %b = alloca [20 x i32]
  %last = getelementptr [3 x i32], ptr %a, i32 0, i32 2
  store i32 12, ptr %last
  %n.in = load i32, ptr %in
  %c = icmp ugt i32 %n.in, 7
  %which = select i1 %c, i32 0, i32 1
  %p = getelementptr [3 x i32], ptr %a, i32 0, i32 %which
  store i32 5, ptr %p
  %n = load i32, ptr %last
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %j.next, %loop ]
  %r = getelementptr i32, ptr %in, i32 %j
  %x = load i32, ptr %r
  %q = getelementptr [20 x i32], ptr %b, i32 0, i32 %j
  store i32 %x, ptr %q
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, %n
  br i1 %again, label %loop, label %done
done:
  %s = getelementptr [20 x i32], ptr %b, i32 0, i32 7
  %y = load i32, ptr %s
  store i32 %y, ptr %out
  ret void
}
