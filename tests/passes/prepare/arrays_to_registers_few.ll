; An element of a private array that is one of a few is chosen by selections:
; among constants, by a bit of a value, or any of at most four. One of seven
; that nothing is known of is not. Where the address is six elements too far at
; first, the index is six more.
; RUN: arrays-to-registers
; CHECK: define void @k(
; CHECK-NOT: alloca [8 x i32]
; CHECK: select
; CHECK: ret void
; RUN TINY: arrays-to-registers --kernel tiny
; TINY: define void @tiny(
; TINY-NOT: alloca [3 x float]
; TINY: ret void
; RUN LESS: arrays-to-registers --kernel less
; LESS: define void @less(
; LESS-NOT: alloca [2 x i32]
; LESS: icmp eq i32 %n, 7
; LESS: ret void
; RUN ANY: arrays-to-registers --kernel any
; ANY: define void @any(
; ANY: alloca [7 x i32]
; ANY-NOT: icmp eq i32 %n
; ANY: ret void
define void @k(ptr %in, ptr %out, i32 %n) {
  %a = alloca [8 x i32]
  %x = load i32, ptr %in
  store i32 %x, ptr %a
  %p2 = getelementptr [8 x i32], ptr %a, i32 0, i32 2
  %p4 = getelementptr [8 x i32], ptr %a, i32 0, i32 4
  store i32 1, ptr %p2
  store i32 %n, ptr %p4
  %c = icmp ult i32 %x, %n
  %d = icmp eq i32 %x, 7
  %s = select i1 %c, i32 0, i32 2
  %t = select i1 %d, i32 4, i32 %s
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  %b = and i32 %n, 2
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 %b
  store i32 %n, ptr %q
  %z = load i32, ptr %p2
  store i32 %z, ptr %out
  ret void
}
define void @tiny(ptr %in, ptr %out, i32 %n) {
  %a = alloca [3 x float]
  store float 1.0, ptr %a
  %p1 = getelementptr [3 x float], ptr %a, i32 0, i32 1
  %p2 = getelementptr [3 x float], ptr %a, i32 0, i32 2
  store float 2.0, ptr %p1
  store float 3.0, ptr %p2
  %p = getelementptr [3 x float], ptr %a, i32 0, i32 %n
  %y = load float, ptr %p
  store float %y, ptr %out
  ret void
}
define void @less(ptr %in, ptr %out, i32 %n) {
  %a = alloca [2 x i32]
  store i32 5, ptr %a
  %p1 = getelementptr i8, ptr %a, i32 4
  store i32 9, ptr %p1
  %p = getelementptr i32, ptr %a, i32 %n
  %q = getelementptr i8, ptr %p, i32 -24
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
define void @any(ptr %in, ptr %out, i32 %n) {
  %a = alloca [7 x i32]
  %x = load i32, ptr %in
  store i32 %x, ptr %a
  %p = getelementptr [7 x i32], ptr %a, i32 0, i32 %n
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
