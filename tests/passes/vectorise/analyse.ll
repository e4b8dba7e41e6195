; Facts about a kernel change nothing of it.
; RUN: analyse
; CHECK: define void @k(
; CHECK: br i1 %c, label %then, label %join
; CHECK-NOT: @mt_region
define void @k(ptr %out, i32 %thread_position_in_grid) {
entry:
  %c = icmp eq i32 %thread_position_in_grid, 0
  br i1 %c, label %then, label %join
then:
  store i32 1, ptr %out
  br label %join
join:
  ret void
}
