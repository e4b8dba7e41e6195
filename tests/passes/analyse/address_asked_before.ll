; What an address is asked for on the way to another one's answer is no answer
; for itself: a phi of it looks at it again.
; RUN: address-spaces
; CHECK: %first: private, the thread's own
; CHECK: %later: unknown
define void @k(ptr %out, i32 %thread_position_in_grid) {
entry:
  %own = alloca [4 x i32]
  %c = icmp ult i32 %thread_position_in_grid, 7
  %part = getelementptr [4 x i32], ptr %own, i32 0, i32 %thread_position_in_grid
  %first = select i1 %c, ptr %part, ptr %own
  store i32 1, ptr %first
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %later = phi ptr [ %part, %entry ], [ %out, %a ]
  store i32 2, ptr %later
  ret void
}
