; In a packed struct a class of the library, a matrix, may be at any byte: what a
; function of the library is called on is not taken for aligned any more, what
; the struct is seen of is as it was.
; RUN: packed
; CHECK: call <4 x float> @column(ptr %m)
; CHECK: store <4 x float> %v, ptr %own, align 16
; CHECK: define internal <4 x float> @column(ptr %self)
; CHECK: load <4 x float>, ptr %c, align 1
; CHECK-NOT: ptr align 16 %
%struct.M = type <{ i8, %class.matrix }>
%class.matrix = type { [4 x <4 x float>] }
define void @k(ptr %p) {
  %own = alloca <4 x float>, align 16
  %m = getelementptr %struct.M, ptr %p, i32 0, i32 1
  %v = call <4 x float> @column(ptr align 16 %m)
  store <4 x float> %v, ptr %own, align 16
  ret void
}
define internal <4 x float> @column(ptr align 16 %self) {
  %c = getelementptr %class.matrix, ptr %self, i32 0, i32 0, i32 1
  %v = load <4 x float>, ptr %c, align 16
  ret <4 x float> %v
}
