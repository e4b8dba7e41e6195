; A barrier that not all threads of a group may reach cannot be among vectors.
; RUN: analyse
; CHECK: error: a barrier that not all threads may reach
; Nor can it be for the rows that ask for facts.
; RUN WIDTH: choose-width
; WIDTH: error: a barrier that not all threads may reach
declare void @__mt_barrier_threadgroup(i32)
define void @k(ptr %out, i32 %thread_position_in_threadgroup) {
entry:
  %c = icmp eq i32 %thread_position_in_threadgroup, 0
  br i1 %c, label %then, label %join
then:
  store i32 1, ptr %out
  call void @__mt_barrier_threadgroup(i32 1)
  store i32 2, ptr %out
  br label %join
join:
  %q = getelementptr i32, ptr %out, i32 %thread_position_in_threadgroup
  store i32 3, ptr %q
  ret void
}
