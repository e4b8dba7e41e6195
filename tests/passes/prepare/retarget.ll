; A module of Clang's, for nvptx64, is for the machine that runs it.
; RUN: retarget
; CHECK: target datalayout = "e-m:e-p270:32:32
; CHECK: target triple = "x86_64-linux-gnu"
; CHECK-NOT: nvptx64
; CHECK-NOT: "target-cpu"="sm_
target triple = "nvptx64-unknown-unknown"
define void @k() #0 {
  ret void
}
attributes #0 = { "target-cpu"="sm_52" "target-features"="+ptx32" }
