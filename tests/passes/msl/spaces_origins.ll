; Where a pointer comes from: a parameter, a global, what was stored into a
; variable of the thread's own, or else memory that the host has filled, and
; addresses that are numbers. Of several ways one that is known is enough. The
; function that asks is inlined.
; RUN: spaces
; CHECK: define void @k(
; CHECK: store volatile i32 3, ptr %out
; CHECK-NEXT: store volatile i32 2, ptr %out
; CHECK-NEXT: store volatile i32 1, ptr %out
; CHECK-NEXT: store volatile i32 1, ptr %out
; CHECK-NEXT: store volatile i32 3, ptr %out
; CHECK-NEXT: store volatile i32 2, ptr %out
; CHECK-NEXT: store volatile i32 2, ptr %out
; CHECK-NEXT: store volatile i32 3, ptr %out
; CHECK-NEXT: store volatile i32 3, ptr %out
; CHECK: loop:
; CHECK: store volatile i32 2, ptr %out
; CHECK-NOT: call i32 @__mt_space(
; CHECK-NOT: error:
declare i32 @__mt_space(ptr)
declare ptr @__mt_somewhere()
@table = internal constant [4 x i32] zeroinitializer
@tile = internal global [4 x i32] undef, section ".msl.threadgroup"
define internal i32 @space(ptr %p) {
  %x = call i32 @__mt_space(ptr %p)
  ret i32 %x
}
define void @k(ptr %out, ptr "constant" %in, ptr "threadgroup" %group, i32 %i, i1 %c) {
entry:
  %two = alloca [2 x ptr]
  %numbers = alloca [2 x i32]
  %first = getelementptr [2 x ptr], ptr %two, i32 0, i32 0
  %some = getelementptr [2 x ptr], ptr %two, i32 0, i32 %i
  store ptr @tile, ptr %first
  %stored = load ptr, ptr %some
  %host = load ptr, ptr %out
  %number = ptrtoint ptr %out to i64
  %made = inttoptr i64 %number to ptr
  %unknown = call ptr @__mt_somewhere()
  %s = select i1 %c, ptr %unknown, ptr @table
  %f = freeze ptr %in
  %step = getelementptr i32, ptr @tile, i32 %i
  %g = call i32 @__mt_space(ptr %group)
  %t = call i32 @__mt_space(ptr @table)
  %h = call i32 @__mt_space(ptr %host)
  %m = call i32 @__mt_space(ptr %made)
  %st = call i32 @__mt_space(ptr %stored)
  %ss = call i32 @__mt_space(ptr %s)
  %fr = call i32 @__mt_space(ptr %f)
  %sp = call i32 @__mt_space(ptr %step)
  %in.f = call i32 @space(ptr %group)
  store volatile i32 %g, ptr %out
  store volatile i32 %t, ptr %out
  store volatile i32 %h, ptr %out
  store volatile i32 %m, ptr %out
  store volatile i32 %st, ptr %out
  store volatile i32 %ss, ptr %out
  store volatile i32 %fr, ptr %out
  store volatile i32 %sp, ptr %out
  store volatile i32 %in.f, ptr %out
  br label %loop
loop:
  %p = phi ptr [ %next, %loop ], [ %in, %entry ]
  %next = getelementptr i32, ptr %p, i32 1
  %l = call i32 @__mt_space(ptr %p)
  store volatile i32 %l, ptr %out
  %d = load volatile i1, ptr %out
  br i1 %d, label %loop, label %done
done:
  ret void
}
