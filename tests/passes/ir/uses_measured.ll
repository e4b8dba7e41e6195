; A pointer whose number is only compared, subtracted or asked for its low bits
; leads nowhere else: what is done with it is known.
; RUN: uses
; CHECK: %in: read, inside neither
; CHECK-NEXT: %out: written, inside neither
define void @k(ptr %in, ptr %out) {
  %n = ptrtoint ptr %in to i64
  %m = ptrtoint ptr %out to i64
  %far = sub i64 %n, %m
  %low = and i64 %n, 15
  %same = icmp eq i64 %n, %m
  %x = load i64, ptr %in
  %sum = add i64 %far, %low
  store i64 %sum, ptr %out
  ret void
}
