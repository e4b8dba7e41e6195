; A pointer that is one of several values is not followed to the memory that it
; leads to: it may be the thread's own. Numbers beside each other are.
; RUN: uniform-memory
; CHECK: %last: a copy for each lane
; CHECK-NEXT: %first: a copy for each lane
; CHECK-NEXT: %vector: a copy for each lane
; CHECK-NEXT: %numbers: one copy for all lanes
define void @k(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
  %last = alloca [4 x { i32, ptr }]
  %first = alloca [4 x { ptr, i32 }]
  %vector = alloca [4 x <2 x ptr>]
  %numbers = alloca [4 x { i32, i32 }]
  %n = load i32, ptr %in
  %a = insertvalue { i32, ptr } poison, i32 %n, 0
  %b = insertvalue { i32, ptr } %a, ptr %out, 1
  store { i32, ptr } %b, ptr %last
  %c = insertvalue { ptr, i32 } poison, i32 %n, 1
  %d = insertvalue { ptr, i32 } %c, ptr %out, 0
  store { ptr, i32 } %d, ptr %first
  %e = insertelement <2 x ptr> poison, ptr %out, i32 0
  %f = insertelement <2 x ptr> %e, ptr %out, i32 1
  store <2 x ptr> %f, ptr %vector
  %g = insertvalue { i32, i32 } poison, i32 %n, 0
  %h = insertvalue { i32, i32 } %g, i32 %n, 1
  store { i32, i32 } %h, ptr %numbers
  ret void
}
