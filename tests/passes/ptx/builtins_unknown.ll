; A builtin that the device has not is refused by its name.
; RUN: ptx-builtins
; CHECK: error: kernel 'k' uses __mt_nothing, which the cuda device does not have
declare void @__mt_nothing()
define void @k(ptr %out) {
  call void @__mt_nothing()
  ret void
}
