; Where it cannot be told which memory a pointer leads to, the call is refused.
; RUN: spaces
; CHECK: ; error: which of the functions that differ by address space alone is meant cannot be told here
declare i32 @__mt_space(ptr)
declare ptr @__mt_somewhere()
define void @k(ptr %out) {
  %p = call ptr @__mt_somewhere()
  %a = call i32 @__mt_space(ptr %p)
  store i32 %a, ptr %out
  ret void
}
