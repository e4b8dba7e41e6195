; Each thread constructs a static of threadgroup memory: the guard that lets one
; of them do it is folded away.
; RUN: storage
; CHECK: define void @k(
; CHECK-NEXT: %first = icmp eq i32 0, 0
; CHECK: store i32 7, ptr @_ZZ1kE4tile
; CHECK-NEXT: br label %done
; CHECK-NOT: @_ZGVZ1kE4tile,
; CHECK-NOT: error:
@_ZZ1kE4tile = internal global i32 0, section ".msl.threadgroup"
@_ZGVZ1kE4tile = internal global i32 0
define void @k(ptr %out) {
  %guard = load i32, ptr @_ZGVZ1kE4tile
  %first = icmp eq i32 %guard, 0
  br i1 %first, label %construct, label %done
construct:
  store i32 7, ptr @_ZZ1kE4tile
  store i32 1, ptr @_ZGVZ1kE4tile
  br label %done
done:
  ret void
}
