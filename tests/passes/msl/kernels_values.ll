; A class of one member that a kernel takes by value, such as a texture, comes as
; that member, wherever it stands among the parameters; others stay, so do
; classes of two members.
; RUN: kernels
; CHECK: define void @k(ptr %out, ptr %t, float %x, i64 %u, ptr %both)
; CHECK-NEXT: entry
; CHECK-NEXT: %0 = alloca %texture
; CHECK-NEXT: store ptr %t, ptr %0
; CHECK-NEXT: %1 = alloca %number
; CHECK-NEXT: store i64 %u, ptr %1
; CHECK-NEXT: call void @0(ptr %out, ptr byval(%texture) %0, float %x, ptr byval(%number) %1, ptr byval(%pair) %both)
; CHECK-NEXT: ret void
; CHECK-NOT: error:
%texture = type { ptr }
%number = type { { i64 } }
%pair = type { ptr, ptr }
@what = private constant [12 x i8] c"kernel|1|k|\00", section "llvm.metadata"
@file = private constant [2 x i8] c"k\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @what, ptr @file, i32 1, ptr null }], section "llvm.metadata"
define void @k(ptr %out, ptr byval(%texture) %t, float %x, ptr byval(%number) %u, ptr byval(%pair) %both) {
  store float %x, ptr %out
  store ptr %t, ptr %out
  store ptr %u, ptr %out
  store ptr %both, ptr %out
  ret void
}
