; The end of the second loop is an element of the array that the first loop
; fills: it is known once that loop is unrolled and the array in registers. No
; index is chosen among a few in the first round, and a second one follows.
; RUN: arrays-to-registers
; CHECK: define void @k(
; CHECK-NOT: alloca
; CHECK: ret void
define void @k(ptr %in, ptr %out) {
entry:
  %a = alloca [3 x i32]
  %b = alloca [20 x i32]
  br label %first
first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %first ]
  %p = getelementptr [3 x i32], ptr %a, i32 0, i32 %i
  %i.next = add i32 %i, 1
  %v = mul i32 %i.next, 4
  store i32 %v, ptr %p
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %first, label %between
between:
  %last = getelementptr [3 x i32], ptr %a, i32 0, i32 2
  %n = load i32, ptr %last
  br label %second
second:
  %j = phi i32 [ 0, %between ], [ %j.next, %second ]
  %r = getelementptr i32, ptr %in, i32 %j
  %x = load i32, ptr %r
  %q = getelementptr [20 x i32], ptr %b, i32 0, i32 %j
  store i32 %x, ptr %q
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, %n
  br i1 %again, label %second, label %done
done:
  %s = getelementptr [20 x i32], ptr %b, i32 0, i32 7
  %y = load i32, ptr %s
  store i32 %y, ptr %out
  ret void
}
