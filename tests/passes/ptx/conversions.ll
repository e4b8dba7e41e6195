; A float becomes an integer of 32 bits by one instruction, which saturates and
; makes 0 of NaN; shorter ones are clamped after it, longer ones stay LLVM's.
; RUN: ptx-conversions
; CHECK: call i32 @llvm.nvvm.f2i.rz(float %x)
; CHECK: call i32 @llvm.nvvm.f2ui.rz(float %x)
; CHECK: @llvm.umin.i32(i32 %2, i32 255)
; CHECK: @llvm.smin.i32(i32 %6, i32 32767)
; CHECK: @llvm.smax.i32(i32 %7, i32 -32768)
; CHECK: call i64 @llvm.fptosi.sat.i64.f32(float %x)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare i16 @llvm.fptosi.sat.i16.f16(half)
declare i64 @llvm.fptosi.sat.i64.f32(float)
define void @k(ptr %out, float %x, half %h) {
  %a = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  store i32 %a, ptr %out
  %b = call i8 @llvm.fptoui.sat.i8.f32(float %x)
  store i8 %b, ptr %out
  %c = call i16 @llvm.fptosi.sat.i16.f16(half %h)
  store i16 %c, ptr %out
  %d = call i64 @llvm.fptosi.sat.i64.f32(float %x)
  store i64 %d, ptr %out
  ret void
}
