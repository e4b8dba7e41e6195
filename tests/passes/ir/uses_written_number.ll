; A pointer that is kept as a number may be used for anything later.
; RUN: uses
; CHECK: %in: read and written, inside read and written
; CHECK: %out: written, inside neither
define void @k(ptr %in, ptr %out) {
  %n = ptrtoint ptr %in to i64
  %more = add i64 %n, 4096
  store i64 %more, ptr %out
  ret void
}
