; Each variable of a position is one of the kernel's own, as aligned as it was,
; in all functions that lead to a use; others stay functions, also those that
; are marked to be inlined, and other variables stay variables.
; RUN: builtins
; CHECK: @tile = internal global i32 undef, section ".msl.threadgroup"
; CHECK: define void @k(
; CHECK-COUNT: 2 = alloca
; CHECK: = alloca <3 x i32>, align 32
; CHECK: = alloca i32, align 8
; CHECK: store i32 1, ptr @tile
; CHECK-NEXT: call void @marked(ptr %out)
; CHECK: call void @plain(ptr %out)
; CHECK: define internal void @marked(ptr %out) #0
; CHECK: define internal void @plain(ptr %out) {
; CHECK: define internal void @nobody(ptr %out) {
; CHECK: attributes #0 = { alwaysinline }
; CHECK-NOT: call i32 @first
; CHECK-NOT: call i32 @second
; CHECK-NOT: call i32 @both
; CHECK-NOT: error:
@gid = internal global i32 0, section ".msl.builtin", align 8
@tid = internal global <3 x i32> zeroinitializer, section ".msl.builtin", align 32
@tile = internal global i32 undef, section ".msl.threadgroup"
define void @k(ptr %out, i32 %thread_position_in_grid, <3 x i32> %thread_position_in_threadgroup) {
  store i32 %thread_position_in_grid, ptr @gid
  store <3 x i32> %thread_position_in_threadgroup, ptr @tid
  store i32 1, ptr @tile
  call void @marked(ptr %out)
  %x = call i32 @both(ptr %out)
  store i32 %x, ptr %out
  call void @plain(ptr %out)
  ret void
}
define internal i32 @both(ptr %out) {
  %x = call i32 @first()
  %y = call i32 @second()
  %z = add i32 %x, %y
  ret i32 %z
}
define internal i32 @first() {
  %x = load i32, ptr @gid
  ret i32 %x
}
define internal i32 @second() {
  %v = load <3 x i32>, ptr @tid
  %x = extractelement <3 x i32> %v, i32 1
  ret i32 %x
}
define internal void @marked(ptr %out) alwaysinline {
  store i32 4, ptr %out
  ret void
}
define internal void @plain(ptr %out) {
  store i32 5, ptr %out
  ret void
}
define internal void @nobody(ptr %out) {
  %x = load i32, ptr @gid
  store i32 %x, ptr %out
  ret void
}
