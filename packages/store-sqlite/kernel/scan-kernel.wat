;; The two loops of the vector scan. Pointers and counts are unsigned; rows lie one after the other without gaps.
(module
  (memory (export "memory") 1 65536)

  ;; out[i] (u16) = number of bits in which `query` and code i differ. `bytes` a code: a multiple of 16, at most 65,536.
  (func (export "hamming") (param $query i32) (param $codes i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $end i32) (local $p i32) (local $row i32) (local $sum v128)
    (local.set $row (local.get $codes))
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (block $done
      (loop $rows
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $p (local.get $query))
        (loop $inner
          (local.set $sum
            (i16x8.add (local.get $sum)
              (i16x8.extadd_pairwise_i8x16_u
                (i8x16.popcnt (v128.xor (v128.load (local.get $p)) (v128.load (local.get $row)))))))
          (local.set $p (i32.add (local.get $p) (i32.const 16)))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (br_if $inner (i32.lt_u (local.get $p) (local.get $end))))
        (local.set $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sum)))
        (i32.store16 (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 2)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $rows))))

  ;; out[i] (i32) = dot product of `query` (int16) and row i (int8). `length` of a row: a multiple of 32.
  ;; The caller keeps the numbers of the query so small that no sum overflows.
  (func (export "dot") (param $query i32) (param $rows i32) (param $count i32) (param $length i32) (param $out i32)
    (local $end i32) (local $p i32) (local $row i32) (local $low v128) (local $high v128) (local $a v128) (local $b v128)
    (local.set $row (local.get $rows))
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $length) (i32.const 1))))
    (block $done
      (loop $each
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $p (local.get $query))
        (loop $inner
          (local.set $low (v128.load (local.get $row)))
          (local.set $high (v128.load offset=16 (local.get $row)))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load (local.get $p)) (i16x8.extend_low_i8x16_s (local.get $low)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $p)) (i16x8.extend_high_i8x16_s (local.get $low)))))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load offset=32 (local.get $p)) (i16x8.extend_low_i8x16_s (local.get $high)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load offset=48 (local.get $p)) (i16x8.extend_high_i8x16_s (local.get $high)))))
          (local.set $p (i32.add (local.get $p) (i32.const 64)))
          (local.set $row (i32.add (local.get $row) (i32.const 32)))
          (br_if $inner (i32.lt_u (local.get $p) (local.get $end))))
        (local.set $a (i32x4.add (local.get $a) (local.get $b)))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
            (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $each)))))
