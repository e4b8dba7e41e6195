; Switches are branches.
; RUN: lower-switches
; CHECK: define void @k(
; CHECK: icmp
; CHECK: br i1
; CHECK-NOT: switch
define void @k(ptr %out, i32 %x) {
entry:
  switch i32 %x, label %other [ i32 1, label %one
                                i32 5, label %five ]
one:
  store i32 1, ptr %out
  ret void
five:
  store i32 5, ptr %out
  ret void
other:
  ret void
}
