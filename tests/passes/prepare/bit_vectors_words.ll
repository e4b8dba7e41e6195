; The longest words that a vector of bits is a whole number of, with the
; alignment that it had; a vector of part of a byte, of bytes or of floats stays.
; RUN: bit-vectors
; CHECK: define void @k(
; CHECK-NEXT: %1 = load <3 x i8>, ptr %in, align 4
; CHECK-NEXT: %2 = bitcast <3 x i8> %1 to <24 x i1>
; CHECK-NEXT: %3 = load <3 x i16>, ptr %in, align 8
; CHECK-NEXT: %4 = bitcast <3 x i16> %3 to <48 x i1>
; CHECK-NEXT: %5 = load i8, ptr %in, align 1
; CHECK-NEXT: %6 = bitcast i8 %5 to <8 x i1>
; CHECK-NEXT: %7 = load i32, ptr %in, align 16
; CHECK-NEXT: %8 = bitcast i32 %7 to <32 x i1>
; CHECK-NEXT: %9 = load i32, ptr %in, align 2
; CHECK-NEXT: %10 = bitcast i32 %9 to <8 x i4>
; CHECK-NEXT: %part = load <4 x i1>, ptr %in
; CHECK-NEXT: %bytes = load <3 x i24>, ptr %in
; CHECK-NEXT: %floats = load <2 x float>, ptr %in
; CHECK-NEXT: %bit = load i1, ptr %in
; CHECK-NEXT: %11 = bitcast <24 x i1> %2 to <3 x i8>
; CHECK-NEXT: store <3 x i8> %11, ptr %out, align 8
; CHECK-NEXT: %12 = bitcast <8 x i1> %6 to i8
; CHECK-NEXT: store i8 %12, ptr %out, align 1
; CHECK-NEXT: store <4 x i1> %part, ptr %out
; CHECK-NEXT: %13 = bitcast <32 x i1> %8 to i32
; CHECK-NEXT: store i32 %13, ptr %out, align 2
; CHECK-NEXT: ret void
define void @k(ptr %in, ptr %out) {
  %a = load <24 x i1>, ptr %in, align 4
  %b = load <48 x i1>, ptr %in, align 8
  %c = load <8 x i1>, ptr %in, align 1
  %d = load <32 x i1>, ptr %in, align 16
  %e = load <8 x i4>, ptr %in, align 2
  %part = load <4 x i1>, ptr %in, align 1
  %bytes = load <3 x i24>, ptr %in, align 4
  %floats = load <2 x float>, ptr %in, align 8
  %bit = load i1, ptr %in, align 1
  store <24 x i1> %a, ptr %out, align 8
  store <8 x i1> %c, ptr %out, align 1
  store <4 x i1> %part, ptr %out, align 1
  store <32 x i1> %d, ptr %out, align 2
  ret void
}
