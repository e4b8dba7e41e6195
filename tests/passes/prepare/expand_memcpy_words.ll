; Words are moved where both sides are aligned for them and the length is a whole
; number of them, else bytes; a fill repeats its byte in a word; a move counts
; from the end where its source is the lower one. A call that says no alignment
; has that of bytes.
; RUN WORDS: expand-memcpy --kernel words
; WORDS: define void @words(
; WORDS-NEXT: %1 = zext i8 %x to i32
; WORDS-NEXT: %2 = mul i32 %1, 16843009
; WORDS: store i32 %2, ptr %5, align 4
; WORDS-NEXT: %6 = add i64 %4, 1
; WORDS-NEXT: icmp ne i64 %6, 128
; RUN BYTES: expand-memcpy --kernel bytes
; BYTES: define void @bytes(
; BYTES: store i8 %x, ptr %3, align 1
; BYTES: icmp ne i64 %4, 512
; RUN ODD: expand-memcpy --kernel odd
; ODD: define void @odd(
; ODD: store i8 %x, ptr %3, align 1
; ODD: icmp ne i64 %4, 513
; RUN SHORT: expand-memcpy --kernel short
; SHORT: define void @short(
; SHORT-NEXT: call void @llvm.memset
; RUN MOVED: expand-memcpy --kernel moved
; MOVED: define void @moved(
; MOVED-NEXT: %1 = icmp ult ptr %b, %a
; MOVED: %4 = sub i64 127, %3
; MOVED-NEXT: %5 = select i1 %1, i64 %4, i64 %3
; MOVED-NEXT: getelementptr i32, ptr %b, i64 %5
; MOVED-NEXT: load i32, ptr %6, align 4
; MOVED-NEXT: getelementptr i32, ptr %a, i64 %5
; MOVED-NEXT: store i32 %7, ptr %8, align 4
; RUN FROM: expand-memcpy --kernel from
; FROM: define void @from(
; FROM: load i8, ptr %3, align 1
; FROM: icmp ne i64 %6, 512
; RUN TO: expand-memcpy --kernel to
; TO: define void @to(
; TO: load i8, ptr %3, align 1
; RUN PLAIN: expand-memcpy --kernel plain
; PLAIN: define void @plain(
; PLAIN: load i8, ptr %3, align 1
; PLAIN: store i8 %4, ptr %5, align 1
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @words(ptr %a, i8 %x) {
  call void @llvm.memset.p0.i64(ptr align 4 %a, i8 %x, i64 512, i1 false)
  ret void
}
define void @bytes(ptr %a, i8 %x) {
  call void @llvm.memset.p0.i64(ptr align 2 %a, i8 %x, i64 512, i1 false)
  ret void
}
define void @odd(ptr %a, i8 %x) {
  call void @llvm.memset.p0.i64(ptr align 4 %a, i8 %x, i64 513, i1 false)
  ret void
}
define void @short(ptr %a, i8 %x) {
  call void @llvm.memset.p0.i64(ptr align 4 %a, i8 %x, i64 256, i1 false)
  ret void
}
define void @moved(ptr %a, ptr %b) {
  call void @llvm.memmove.p0.p0.i64(ptr align 4 %a, ptr align 4 %b, i64 512, i1 false)
  ret void
}
define void @from(ptr %a, ptr %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 2 %b, i64 512, i1 false)
  ret void
}
define void @plain(ptr %a, ptr %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 512, i1 false)
  ret void
}
define void @to(ptr %a, ptr %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %a, ptr align 4 %b, i64 512, i1 false)
  ret void
}
