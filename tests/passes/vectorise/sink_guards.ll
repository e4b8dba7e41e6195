; A comparison of positions that LLVM hoisted is beside its branch again.
; RUN: sink-guards
; CHECK: one:
; CHECK-NEXT: icmp ult i32 %thread_position_in_grid, %n
; CHECK-NEXT: br i1
define void @k(ptr %out, i32 %n, i32 %thread_position_in_grid) {
entry:
  %inside = icmp ult i32 %thread_position_in_grid, %n
  %z = icmp eq i32 %n, 0
  br i1 %z, label %done, label %one
one:
  br i1 %inside, label %two, label %done
two:
  store i32 1, ptr %out
  br label %done
done:
  ret void
}
