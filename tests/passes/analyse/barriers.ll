; A barrier in a branch that some lanes do not take has no vectors, unless those
; have returned and had nothing to do.
; RUN: barriers
; CHECK: barrier at the end of %wait: missed by threads that returned, vectors wait
; RUN APART: barriers --kernel apart
; APART: barrier at the end of %then: missed by others, vectors cannot wait
; APART: no vectors: a barrier that not all threads may reach
declare void @__mt_barrier_threadgroup(i32)
define void @k(ptr %out, i32 %thread_position_in_grid) {
entry:
  %c = icmp ugt i32 %thread_position_in_grid, 100
  br i1 %c, label %done, label %wait
wait:
  call void @__mt_barrier_threadgroup(i32 1)
  store i32 1, ptr %out
  br label %done
done:
  ret void
}
define void @apart(ptr %out, i32 %thread_position_in_grid) {
entry:
  %b = and i32 %thread_position_in_grid, 1
  %c = icmp eq i32 %b, 0
  br i1 %c, label %then, label %done
then:
  call void @__mt_barrier_threadgroup(i32 1)
  br label %done
done:
  store i32 1, ptr %out
  ret void
}
