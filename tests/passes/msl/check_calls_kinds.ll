; A function of metal/__builtins has no body and is there; as_type between a
; vector and a number is no conversion. A kernel that calls another one is warned
; of. After an error the rest of a block is looked at, too.
; RUN: check-calls
; CHECK-NOT: error:
; CHECK: define void @k(
; RUN VECTORS: check-calls --kernel vectors
; VECTORS: ; error: this conversion between vector types is not understood
; RUN BOTH: check-calls --kernel both
; BOTH: ; error: memory cannot be allocated in a kernel
; BOTH: ; error: undefined symbol: function 'lost' is declared but not defined
; RUN CALLS: check-calls --kernel calls
; CALLS: ; warning: 'calls' is a kernel
; Where recursion is looked for, divisions are hidden, and seen again.
; RUN DIVIDES: check-calls --kernel divides
; DIVIDES: define internal i32 @_Z3endii(
; DIVIDES: udiv i32 %x.tr, %y
; DIVIDES-NOT: hidden
declare i32 @__mt_somewhere()
declare i32 @_Z4losti(i32)
declare ptr @_Znwm(i64)
define void @k(ptr %out, <2 x i8> %two, <1 x i16> %one, bfloat %b, half %h) !dbg !3 {
  %x = call i32 @__mt_somewhere()
  store i32 %x, ptr %out
  %p = bitcast <2 x i8> %two to bfloat
  store bfloat %p, ptr %out
  %q = bitcast <1 x i16> %one to half
  store half %q, ptr %out
  %r = bitcast bfloat %b to <2 x i8>
  store <2 x i8> %r, ptr %out
  %s = bitcast half %h to <1 x i16>
  store <1 x i16> %s, ptr %out
  ret void
}
define void @vectors(ptr %out, <2 x float> %v) !dbg !4 {
  %t = bitcast <2 x float> %v to <2 x i32>
  store <2 x i32> %t, ptr %out
  ret void
}
define void @both(ptr %out) {
  %p = call ptr @_Znwm(i64 4)
  store ptr %p, ptr %out
  %x = call i32 @_Z4losti(i32 1)
  store i32 %x, ptr %out
  ret void
}
define void @calls(ptr %out) {
  %x = load i32, ptr %out
  %c = icmp eq i32 %x, 0
  br i1 %c, label %end, label %again
again:
  call void @calls(ptr %out)
  br label %end
end:
  ret void
}
define void @divides(ptr %out, i32 %y) {
  %x = load i32, ptr %out
  %z = call i32 @_Z3endii(i32 %x, i32 %y)
  store i32 %z, ptr %out
  ret void
}
define internal i32 @_Z3endii(i32 %x, i32 %y) {
entry:
  %c = icmp slt i32 %x, 2
  br i1 %c, label %end, label %on
end:
  ret i32 %x
on:
  %d = udiv i32 %x, %y
  %a = call i32 @_Z3endii(i32 %d, i32 %y)
  ret i32 %a
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!5}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.metal", directory: "")
!2 = !DISubroutineType(types: !6)
!3 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!4 = distinct !DISubprogram(name: "vectors", scope: !1, file: !1, line: 2, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = !{}
