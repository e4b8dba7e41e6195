; What the parameters of a kernel are, by their types, attributes and names.
; RUN: parameters
; CHECK: %out: buffer
; CHECK-NEXT: %in: constant buffer
; CHECK-NEXT: %tile: threadgroup
; CHECK-NEXT: %image: texture
; CHECK-NEXT: %thread_position_in_grid: builtin thread_position_in_grid
define void @k(ptr %out, ptr "constant" %in, ptr "threadgroup" %tile,
               ptr "texture" %image, <3 x i32> %thread_position_in_grid) {
  ret void
}
