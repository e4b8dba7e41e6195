; A list whose address is in a constant of 65 parts cannot be followed.
; RUN: threadgroup-lists
; CHECK: error: a list of threadgroup variables is used in a way the host device cannot follow
@a = internal global i8 undef, section ".msl.threadgroup"
@list = internal constant [1 x ptr] [ptr @a]
@good = internal constant [1 x ptr] [ptr @a]
define void @k(ptr %out) {
  store [65 x ptr] [
    ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list,
    ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list,
    ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list,
    ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list,
    ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list,
    ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list,
    ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list,
    ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list, ptr @list], ptr %out
  store ptr @good, ptr %out
  ret void
}
