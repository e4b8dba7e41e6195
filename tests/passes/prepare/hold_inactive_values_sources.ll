; The value that a shuffle takes out of a struct or a vector is held where it was
; made, at every depth of members and on both sides of a shuffle of components.
; RUN SECOND: hold-inactive-values --kernel second
; SECOND: define void @second(
; SECOND: %y = 
; SECOND-NEXT: call void @__mt_simd_hold_u32(i32 0, i32 %y)
; RUN FIRST: hold-inactive-values --kernel first
; FIRST: define void @first(
; FIRST: %x = 
; FIRST-NEXT: call void @__mt_simd_hold_u32(i32 0, i32 %x)
; RUN NESTED: hold-inactive-values --kernel nested
; NESTED: define void @nested(
; NESTED: %y = 
; NESTED-NEXT: call void @__mt_simd_hold_u32(i32 0, i32 %y)
; RUN STEPS: hold-inactive-values --kernel steps
; STEPS: define void @steps(
; STEPS: %y = 
; STEPS-NEXT: call void @__mt_simd_hold_u32(i32 0, i32 %y)
; RUN COMPONENT: hold-inactive-values --kernel component
; COMPONENT: define void @component(
; COMPONENT: %y = 
; COMPONENT-NEXT: call void @__mt_simd_hold_u32(i32 0, i32 %y)
; RUN EARLIER: hold-inactive-values --kernel earlier
; EARLIER: define void @earlier(
; EARLIER: %x = 
; EARLIER-NEXT: call void @__mt_simd_hold_u32(i32 0, i32 %x)
; RUN LEFT: hold-inactive-values --kernel left
; LEFT: define void @left(
; LEFT: %x = 
; LEFT-NEXT: call void @__mt_simd_hold_u32(i32 0, i32 %x)
; RUN RIGHT: hold-inactive-values --kernel right
; RIGHT: define void @right(
; RIGHT: %y = 
; RIGHT-NEXT: call void @__mt_simd_hold_u32(i32 0, i32 %y)
declare i32 @__mt_simd_shuffle_up_u32(i32, i32)
define void @second(ptr %out, i32 %thread_index_in_simdgroup) {
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = mul i32 %thread_index_in_simdgroup, 5
  %a = insertvalue { i32, i32 } poison, i32 %x, 0
  %b = insertvalue { i32, i32 } %a, i32 %y, 1
  %cond = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %cond, label %then, label %done
then:
  %v = extractvalue { i32, i32 } %b, 1
  %z = call i32 @__mt_simd_shuffle_up_u32(i32 %v, i32 1)
  store i32 %z, ptr %out
  br label %done
done:
  ret void
}
define void @first(ptr %out, i32 %thread_index_in_simdgroup) {
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = mul i32 %thread_index_in_simdgroup, 5
  %a = insertvalue { i32, i32 } poison, i32 %x, 0
  %b = insertvalue { i32, i32 } %a, i32 %y, 1
  %cond = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %cond, label %then, label %done
then:
  %v = extractvalue { i32, i32 } %b, 0
  %z = call i32 @__mt_simd_shuffle_up_u32(i32 %v, i32 1)
  store i32 %z, ptr %out
  br label %done
done:
  ret void
}
define void @nested(ptr %out, i32 %thread_index_in_simdgroup) {
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = mul i32 %thread_index_in_simdgroup, 5
  %a = insertvalue { i32, i32 } poison, i32 %x, 0
  %b = insertvalue { i32, i32 } %a, i32 %y, 1
  %c = insertvalue { { i32, i32 }, { i32, i32 } } poison, { i32, i32 } %b, 1
  %d = insertvalue { { i32, i32 }, { i32, i32 } } %c, i32 7, 0, 1
  %cond = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %cond, label %then, label %done
then:
  %v = extractvalue { { i32, i32 }, { i32, i32 } } %d, 1, 1
  %z = call i32 @__mt_simd_shuffle_up_u32(i32 %v, i32 1)
  store i32 %z, ptr %out
  br label %done
done:
  ret void
}
define void @steps(ptr %out, i32 %thread_index_in_simdgroup) {
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = mul i32 %thread_index_in_simdgroup, 5
  %a = insertvalue { i32, { i32, i32 } } poison, i32 %x, 1, 0
  %b = insertvalue { i32, { i32, i32 } } %a, i32 %y, 1, 1
  %cond = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %cond, label %then, label %done
then:
  %p = extractvalue { i32, { i32, i32 } } %b, 1
  %v = extractvalue { i32, i32 } %p, 1
  %z = call i32 @__mt_simd_shuffle_up_u32(i32 %v, i32 1)
  store i32 %z, ptr %out
  br label %done
done:
  ret void
}
define void @component(ptr %out, i32 %thread_index_in_simdgroup) {
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = mul i32 %thread_index_in_simdgroup, 5
  %a = insertelement <3 x i32> poison, i32 %x, i32 0
  %b = insertelement <3 x i32> %a, i32 %y, i32 2
  %cond = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %cond, label %then, label %done
then:
  %v = extractelement <3 x i32> %b, i32 2
  %z = call i32 @__mt_simd_shuffle_up_u32(i32 %v, i32 1)
  store i32 %z, ptr %out
  br label %done
done:
  ret void
}
define void @earlier(ptr %out, i32 %thread_index_in_simdgroup) {
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = mul i32 %thread_index_in_simdgroup, 5
  %a = insertelement <3 x i32> poison, i32 %x, i32 0
  %b = insertelement <3 x i32> %a, i32 %y, i32 2
  %cond = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %cond, label %then, label %done
then:
  %v = extractelement <3 x i32> %b, i32 0
  %z = call i32 @__mt_simd_shuffle_up_u32(i32 %v, i32 1)
  store i32 %z, ptr %out
  br label %done
done:
  ret void
}
define void @left(ptr %out, i32 %thread_index_in_simdgroup) {
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = mul i32 %thread_index_in_simdgroup, 5
  %a = insertelement <2 x i32> poison, i32 %x, i32 1
  %b = insertelement <2 x i32> poison, i32 %y, i32 0
  %s = shufflevector <2 x i32> %a, <2 x i32> %b, <4 x i32> <i32 2, i32 1, i32 0, i32 3>
  %cond = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %cond, label %then, label %done
then:
  %v = extractelement <4 x i32> %s, i32 1
  %z = call i32 @__mt_simd_shuffle_up_u32(i32 %v, i32 1)
  store i32 %z, ptr %out
  br label %done
done:
  ret void
}
define void @right(ptr %out, i32 %thread_index_in_simdgroup) {
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = mul i32 %thread_index_in_simdgroup, 5
  %a = insertelement <2 x i32> poison, i32 %x, i32 1
  %b = insertelement <2 x i32> poison, i32 %y, i32 0
  %s = shufflevector <2 x i32> %a, <2 x i32> %b, <4 x i32> <i32 2, i32 1, i32 0, i32 3>
  %cond = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %cond, label %then, label %done
then:
  %v = extractelement <4 x i32> %s, i32 0
  %z = call i32 @__mt_simd_shuffle_up_u32(i32 %v, i32 1)
  store i32 %z, ptr %out
  br label %done
done:
  ret void
}
