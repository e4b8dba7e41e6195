; A constant expression over a threadgroup variable becomes an instruction.
; RUN: threadgroup-uses
; CHECK: = getelementptr
; CHECK: @tile
; CHECK-NEXT: store float 1.000000e+00, ptr %
@tile = internal global [8 x float] undef, section ".msl.threadgroup"
define void @k() {
  store float 1.0, ptr getelementptr ([8 x float], ptr @tile, i64 0, i64 3)
  ret void
}
