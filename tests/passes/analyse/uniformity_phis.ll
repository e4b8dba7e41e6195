; Where lanes that parted meet again, values differ though each side's is the
; same in all lanes; so do values of a loop that lanes leave one by one, but not
; those that are the same on all ways.
; RUN: uniformity --group 256
; CHECK: %out: varying
; CHECK-NEXT: %in: uniform
; CHECK-NEXT: %thread_position_in_grid: affine
; CHECK-NEXT: %n: uniform
; CHECK-NEXT: %c: varying
; CHECK-NEXT: %d: uniform
; CHECK-NEXT: %inner: uniform
; CHECK-NEXT: %apart: varying
; CHECK-NEXT: %alike: uniform
; CHECK-NEXT: %undef: varying
; CHECK-NEXT: %i: uniform
; CHECK-NEXT: %same: uniform
; CHECK-NEXT: %t: affine
; CHECK-NEXT: %w: varying
; CHECK-NEXT: %j: uniform
; CHECK-NEXT: %u: affine
; CHECK-NEXT: %v: varying
; CHECK-NEXT: %more: varying
; CHECK-NEXT: %out1: varying
; CHECK-NEXT: %out2: varying
; CHECK-NEXT: %a: uniform
; CHECK-NEXT: %b: uniform
; CHECK-NEXT: %again: uniform
; CHECK-NEXT: %out3: uniform
; CHECK-NEXT: branch of %entry: divergent
; CHECK-NEXT: branch of %left: uniform
; CHECK-NEXT: branch of %loop: divergent
; CHECK-NEXT: branch of %counted: uniform
define void @k(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
entry:
  %n = load i32, ptr %in
  %c = icmp ult i32 %thread_position_in_grid, 7
  br i1 %c, label %left, label %right
left:
  %d = icmp ult i32 %n, 7
  br i1 %d, label %one, label %two
one:
  br label %two
two:
  %inner = phi i32 [ 1, %left ], [ 2, %one ]
  br label %met
right:
  br label %met
met:
  %apart = phi i32 [ 1, %two ], [ 2, %right ]
  %alike = phi i32 [ %n, %two ], [ %n, %right ]
  %undef = phi i32 [ %n, %two ], [ undef, %right ]
  br label %loop
loop:
  %i = phi i32 [ 0, %met ], [ %j, %loop ]
  %same = phi i32 [ %n, %met ], [ %same, %loop ]
  %t = phi i32 [ %thread_position_in_grid, %met ], [ %u, %loop ]
  %w = phi i32 [ %thread_position_in_grid, %met ], [ %v, %loop ]
  %j = add i32 %i, 1
  %u = add i32 %t, %n
  %v = mul i32 %w, %n
  %more = icmp ult i32 %j, %thread_position_in_grid
  br i1 %more, label %loop, label %left2
left2:
  %out1 = phi i32 [ %j, %loop ]
  %out2 = phi i32 [ %n, %loop ]
  br label %counted
counted:
  %a = phi i32 [ 0, %left2 ], [ %b, %counted ]
  %b = add i32 %a, 1
  %again = icmp ult i32 %b, %n
  br i1 %again, label %counted, label %done
done:
  %out3 = phi i32 [ %b, %counted ]
  ret void
}
