; The upper half of a product of two words is one instruction: of unsigned ones,
; of signed ones, of a constant; not another part of the product.
; RUN: ptx-high-products
; CHECK: %1 = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 %y)
; CHECK: store i32 %1, ptr %out
; CHECK: %2 = call i32 @llvm.nvvm.mulhi.i(i32 %x, i32 %y)
; CHECK: store i32 %2, ptr %out
; CHECK: store i32 %t, ptr %out
; CHECK-COUNT: 2 = call i32
define void @k(ptr %out, i32 %x, i32 %y) {
  %a = zext i32 %x to i64
  %b = zext i32 %y to i64
  %m = mul i64 %a, %b
  %h = lshr i64 %m, 32
  %u = trunc i64 %h to i32
  store i32 %u, ptr %out
  %c = sext i32 %x to i64
  %d = sext i32 %y to i64
  %n = mul i64 %c, %d
  %i = lshr i64 %n, 32
  %s = trunc i64 %i to i32
  store i32 %s, ptr %out
  %part = lshr i64 %m, 31
  %t = trunc i64 %part to i32
  store i32 %t, ptr %out
  ret void
}
