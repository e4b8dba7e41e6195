; A component that is chosen by a variable is loaded alone, the first one for an
; index past the end, with its own alignment or the vector's where that is less;
; not where memory may change before it is taken, and not where anything else
; uses the vector.
; RUN: split-vector-loads --kernel alone
; CHECK: define void @alone(
; CHECK-NEXT: icmp ult i32 %k, 4
; CHECK-NEXT: select i1 %1, i32 %k, i32 0
; CHECK-NEXT: getelementptr float, ptr %in, i32 %2
; CHECK-NEXT: load float, ptr %3, align 4
; CHECK-NEXT: store float %4, ptr %out
; RUN PROBE: split-vector-loads --kernel probe
; PROBE: define void @probe(
; PROBE-NEXT: call void @__mt_probe_if
; PROBE-NEXT: icmp ult
; PROBE-NEXT: select
; RUN LESS: split-vector-loads --kernel vector
; LESS: define void @vector(
; LESS: load i16, ptr %3, align 2
; RUN STORE: split-vector-loads --kernel stored
; STORE: define void @stored(
; STORE-NEXT: load <4 x float>, ptr %in
; STORE: extractelement <4 x float> %v, i32 %k
; RUN CALL: split-vector-loads --kernel called
; CALL: define void @called(
; CALL-NEXT: load <4 x float>, ptr %in
; RUN RMW: split-vector-loads --kernel added
; RMW: define void @added(
; RMW-NEXT: load <4 x float>, ptr %in
; RUN XCHG: split-vector-loads --kernel exchanged
; XCHG: define void @exchanged(
; XCHG-NEXT: load <4 x float>, ptr %in
; RUN FENCE: split-vector-loads --kernel fenced
; FENCE: define void @fenced(
; FENCE-NEXT: load <4 x float>, ptr %in
; RUN BLOCK: split-vector-loads --kernel elsewhere
; BLOCK: define void @elsewhere(
; BLOCK-NEXT: load <4 x float>, ptr %in
; RUN TWO: split-vector-loads --kernel two
; TWO: define void @two(
; TWO-NEXT: load <4 x float>, ptr %in
; RUN ADDED: split-vector-loads --kernel whole
; ADDED: define void @whole(
; ADDED-NEXT: load <4 x float>, ptr %in
; ADDED-NEXT: fadd
declare void @__mt_probe_if(i32)
declare void @other()
define void @alone(ptr %in, ptr %out, i32 %k) {
  %v = load <4 x float>, ptr %in
  %x = extractelement <4 x float> %v, i32 %k
  store float %x, ptr %out
  ret void
}
define void @vector(ptr %in, ptr %out, i32 %k) {
  %v = load <4 x i16>, ptr %in, align 16
  %x = extractelement <4 x i16> %v, i32 %k
  store i16 %x, ptr %out
  ret void
}
define void @probe(ptr %in, ptr %out, i32 %k) {
  %v = load <4 x float>, ptr %in
  call void @__mt_probe_if(i32 %k)
  %x = extractelement <4 x float> %v, i32 %k
  ret void
}
define void @stored(ptr %in, ptr %out, i32 %k) {
  %v = load <4 x float>, ptr %in
  store float 1.0, ptr %out
  %x = extractelement <4 x float> %v, i32 %k
  ret void
}
define void @called(ptr %in, ptr %out, i32 %k) {
  %v = load <4 x float>, ptr %in
  call void @other()
  %x = extractelement <4 x float> %v, i32 %k
  ret void
}
define void @added(ptr %in, ptr %out, i32 %k) {
  %v = load <4 x float>, ptr %in
  %old = atomicrmw add ptr %out, i32 1 monotonic
  %x = extractelement <4 x float> %v, i32 %k
  ret void
}
define void @exchanged(ptr %in, ptr %out, i32 %k) {
  %v = load <4 x float>, ptr %in
  %old = cmpxchg ptr %out, i32 1, i32 2 monotonic monotonic
  %x = extractelement <4 x float> %v, i32 %k
  ret void
}
define void @fenced(ptr %in, ptr %out, i32 %k) {
  %v = load <4 x float>, ptr %in
  fence acquire
  %x = extractelement <4 x float> %v, i32 %k
  ret void
}
define void @elsewhere(ptr %in, ptr %out, i32 %k, i1 %c) {
  %v = load <4 x float>, ptr %in
  br i1 %c, label %then, label %done
then:
  %x = extractelement <4 x float> %v, i32 %k
  store float %x, ptr %out
  br label %done
done:
  ret void
}
define void @two(ptr %in, ptr %out, i32 %k) {
  %v = load <4 x float>, ptr %in
  %x = extractelement <4 x float> %v, i32 %k
  %y = extractelement <4 x float> %v, i32 0
  ret void
}
define void @whole(ptr %in, ptr %out, i32 %k) {
  %v = load <4 x float>, ptr %in
  %w = fadd <4 x float> %v, %v
  ret void
}
