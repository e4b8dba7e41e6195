; A choice between two sums of the same terms, by a condition that is the same in
; all lanes, chooses the base and each term once, not in each lane.
; RUN: emit --group 16,16
; CHECK: define internal i32 @mt_region(
; CHECK: = select i1 %12, i32 %16, i32 %19
; CHECK-NEXT: = select i1 %12, i32 %9, i32 %11
; CHECK-NEXT: = select i1 %12, i32 %11, i32 %9
; CHECK-NEXT: insertelement <32 x i32> poison, i32 %21, i64 0
; CHECK: insertelement <32 x i32> poison, i32 %22, i64 0
; CHECK: insertelement <32 x i32> poison, i32 %20, i64 0
define void @k(ptr %out, ptr "constant" %in, <2 x i32> %thread_position_in_threadgroup) {
  %n = load i32, ptr %in
  %second = getelementptr i32, ptr %in, i32 1
  %m = load i32, ptr %second
  %c = icmp ult i32 %n, 5
  %x = extractelement <2 x i32> %thread_position_in_threadgroup, i32 0
  %y = extractelement <2 x i32> %thread_position_in_threadgroup, i32 1
  %yn = mul i32 %y, %n
  %xm = mul i32 %x, %m
  %one = add i32 %yn, %xm
  %ym = mul i32 %y, %m
  %xn = mul i32 %x, %n
  %other = add i32 %ym, %xn
  %chosen = select i1 %c, i32 %one, i32 %other
  store i32 %chosen, ptr %out
  ret void
}
