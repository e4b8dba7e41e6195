; A variable that some way leaves without a value has none there that could be
; held, however many joins the way goes through; one that always has a value is
; held.
; RUN UNSET: hold-inactive-values --kernel unset
; UNSET: define void @unset(
; UNSET: call i32 @__mt_simd_shuffle_up_u32(i32 %x
; UNSET-NOT: @__mt_simd_hold_u32(i32 0, i32 %u
; RUN SET: hold-inactive-values --kernel set
; SET: define void @set(
; SET: call void @__mt_simd_hold_u32(i32 0, i32 %u
declare i32 @__mt_simd_shuffle_up_u32(i32, i32)
define void @unset(ptr %out, i32 %n, i32 %thread_index_in_simdgroup) {
entry:
  %p = icmp eq i32 %n, 1
  br i1 %p, label %first, label %second
first:
  br label %second
second:
  %t = phi i32 [ undef, %entry ], [ 3, %first ]
  %q = icmp eq i32 %n, 2
  br i1 %q, label %third, label %fourth
third:
  br label %fourth
fourth:
  %u = phi i32 [ %t, %second ], [ 4, %third ]
  %c = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %c, label %then, label %done
then:
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = call i32 @__mt_simd_shuffle_up_u32(i32 %x, i32 1)
  store i32 %y, ptr %out
  br label %done
done:
  %z = phi i32 [ %u, %fourth ], [ %x, %then ]
  store i32 %z, ptr %out
  ret void
}
define void @set(ptr %out, i32 %n, i32 %thread_index_in_simdgroup) {
entry:
  %p = icmp eq i32 %n, 1
  br i1 %p, label %first, label %second
first:
  br label %second
second:
  %t = phi i32 [ %n, %entry ], [ 3, %first ]
  %q = icmp eq i32 %n, 2
  br i1 %q, label %third, label %fourth
third:
  br label %fourth
fourth:
  %u = phi i32 [ %t, %second ], [ 4, %third ]
  %c = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %c, label %then, label %done
then:
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = call i32 @__mt_simd_shuffle_up_u32(i32 %x, i32 1)
  store i32 %y, ptr %out
  br label %done
done:
  %z = phi i32 [ %u, %fourth ], [ %x, %then ]
  store i32 %z, ptr %out
  ret void
}
