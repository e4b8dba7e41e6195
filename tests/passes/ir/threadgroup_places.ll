; Places by the greatest of three alignments: 16, that of the type, that of the
; variable. The whole is a multiple of 16.
; RUN: threadgroup
; CHECK: @byte: at byte 0
; CHECK-NEXT: @wide: at byte 32
; CHECK-NEXT: @asks: at byte 64
; CHECK-NEXT: @little: at byte 80
; CHECK-NEXT: @less: at byte 96
; CHECK-NEXT: @full: at byte 128
; CHECK-NEXT: @last: at byte 144
; CHECK-NEXT: 176 bytes
target datalayout = "e-i64:64-v256:256"
@none = internal global [16 x i8] undef
@byte = internal global i8 undef, section ".msl.threadgroup"
@wide = internal global <8 x float> undef, section ".msl.threadgroup"
@asks = internal global i32 undef, section ".msl.threadgroup", align 64
@little = internal global i32 undef, section ".msl.threadgroup", align 4
@less = internal global <8 x float> undef, section ".msl.threadgroup", align 16
@other = internal global [32 x i8] undef, section ".msl.constant.x"
@full = internal global [16 x i8] undef, section ".msl.threadgroup"
@last = internal global [17 x i8] undef, section ".msl.threadgroup"
define void @k() {
  ret void
}
