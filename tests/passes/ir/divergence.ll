; Where the lanes of a SIMD-group part and meet again: at a branch that depends
; on the thread, not at one that depends on a buffer's constant place.
; RUN: divergence
; CHECK: %u: same
; CHECK-NEXT: %same: same
; CHECK-NEXT: %x: varies
; CHECK-NEXT: %here: varies
; CHECK: %m: varies
; CHECK: %entry: converged
; CHECK-NEXT: %one: converged, parts until %join
; CHECK-NEXT: %two: apart
; CHECK-NEXT: %join: converged
; CHECK-NEXT: %end: converged
define void @k(ptr "constant" %in, i32 %thread_position_in_grid) {
entry:
  %u = load i32, ptr %in
  %same = icmp eq i32 %u, 0
  br i1 %same, label %one, label %end
one:
  %x = and i32 %thread_position_in_grid, 1
  %here = icmp eq i32 %x, 0
  br i1 %here, label %two, label %join
two:
  br label %join
join:
  %m = phi i32 [ 1, %one ], [ 2, %two ]
  br label %end
end:
  ret void
}
