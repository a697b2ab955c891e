/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * VECTOR(NAME, SUPPORT, CODE): functions that begin with a vector instruction, named by what becomes of a probe there,
 * or behind it; what the CPU must support to run it. They may use %ymm0 to %ymm4 and %ymm16 to %ymm31, %eax, %edi and 64 bytes at
 * %rsi; what they leave in %ymm0, %eax and there is theirs to be compared.
 */
VECTOR(counted_add, "avx2", "vpaddw %ymm1, %ymm0, %ymm0")
VECTOR(counted_clear, "avx2", "vxorps %xmm0, %xmm0, %xmm0")
VECTOR(counted_divide, "avx2", "vdivps %ymm1, %ymm0, %ymm0")
VECTOR(counted_insert, "avx2", "vpinsrw $3, %edi, %xmm0, %xmm0")
VECTOR(counted_constant, "avx2", "vpand vectors_constant(%rip), %ymm1, %ymm0")
VECTOR(counted_permute, "avx2", "vpermd vectors_constant(%rip), %ymm2, %ymm0")
VECTOR(counted_and_not, "bmi", "andn %edi, %eax, %eax")
VECTOR(counted_behind_store, "avx2", "vmovdqu %ymm1, (%rsi)\n\tmov %edi, %eax")
VECTOR(counted_behind_two, "avx2", "vmovd %xmm1, %eax\n\tvmovdqu %ymm1, (%rsi)\n\tadd %edi, %eax")
VECTOR(counted_behind_lock, "avx2", "lock incl (%rsi)\n\tsub $8, %rsp\n\tmov %edi, %eax\n\tadd $8, %rsp")
VECTOR(counted_behind_wide, "avx512bw",
       "vpbroadcastb %edi, %ymm17\n\tmov %edi, %eax\n\tvmovdqa64 %ymm17, %ymm0")
VECTOR(refused_loop, "avx2", "1: lock decl (%rsi)\n\tcmpl $0x55555550, (%rsi)\n\tjne 1b")
VECTOR(mistaken_loop_behind, "avx2",
       "vmovdqu %ymm1, (%rsi)\n1: add $1, %eax\n\tcmp $0x01020310, %eax\n\tjb 1b")
VECTOR(refused_load, "avx2", "vmovdqu (%rsi), %ymm0")
VECTOR(refused_exclusive_or, "avx2", "vpxor %ymm1, %ymm0, %ymm0")
VECTOR(mistaken_minimum, "avx2", "vpminsw %ymm1, %ymm0, %ymm0")
VECTOR(mistaken_or, "avx2", "vpor %ymm1, %ymm0, %ymm0")
VECTOR(mistaken_subtract, "avx2", "vpsubsb %ymm1, %ymm0, %ymm0")
VECTOR(mistaken_subtract_words, "avx2", "vpsubsw %ymm1, %ymm0, %ymm0")
VECTOR(mistaken_store, "avx2", "vmovdqu %ymm1, (%rsi)")
VECTOR(mistaken_zero_upper, "avx2", "vzeroupper")
VECTOR(mistaken_broadcast, "avx2", "vpbroadcastb %xmm1, %ymm0")
VECTOR(mistaken_equal, "avx2", "vpcmpeqb %ymm1, %ymm0, %ymm0")
VECTOR(mistaken_to_general, "avx2", "vmovd %xmm1, %eax")
VECTOR(mistaken_shuffle, "avx2", "vpshufd $0x1b, %ymm1, %ymm0")
VECTOR(mistaken_shift, "avx2", "vpsrlw $3, %ymm1, %ymm0")
VECTOR(mistaken_compare, "avx2", "vcmpltps %ymm1, %ymm0, %ymm0")
VECTOR(mistaken_fused, "fma", "vfnmadd132ss %xmm1, %xmm2, %xmm0")
VECTOR(mistaken_exchange, "avx2", "xchg %eax, %r8d\n\tmov %r8d, %eax")
VECTOR(mistaken_broadcast_wide, "avx512bw", "vpbroadcastb %edi, %ymm17\n\tvmovdqa64 %ymm17, %ymm0")
VECTOR(refused_load_wide, "avx512vl", "vmovdqu64 (%rsi), %ymm17\n\tvmovdqa64 %ymm17, %ymm0")
