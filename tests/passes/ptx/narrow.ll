; A sum of products of bytes fits in 32 bits, and so does what is made of it; one
; that might not stays as it is. The upper half of a product is 64 bits.
; RUN: ptx-narrow
; CHECK: mul i32
; CHECK: mul i32
; CHECK: add i32
; CHECK: lshr i32
; CHECK: %wide = mul i64 %z, 4294967295
define void @k(ptr %out, i8 %x, i8 %y, i32 %n) {
  %a = zext i8 %x to i64
  %b = zext i8 %y to i64
  %p = mul nuw nsw i64 %a, 77
  %q = mul nuw nsw i64 %b, 150
  %s = add nuw nsw i64 %p, %q
  %h = lshr i64 %s, 8
  %at = getelementptr i32, ptr %out, i64 %h
  store i32 1, ptr %at
  %z = zext i32 %n to i64
  %wide = mul i64 %z, 4294967295
  store i64 %wide, ptr %out
  ret void
}
