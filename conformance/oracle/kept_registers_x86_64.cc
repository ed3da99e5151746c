#include <dlspec/conformance/oracle/kept_registers.h>

#if defined(__x86_64__) && defined(__linux__)

// System V ABI, Register Usage: rbx, rbp and r12 to r15 belong to the caller, the direction flag is clear
// between functions, the control words of both floating point units are kept. Each register gets a
// value of its own before the call; a bit of the result for each that is another one afterwards. The
// unwinder finds its way through, so that exceptions pass.
extern "C" unsigned dlspec_call_with_known_registers(void (*function)(void*), void* argument);
asm(R"(
    .text
    .p2align 4
    .local dlspec_call_with_known_registers
    .type dlspec_call_with_known_registers, @function
dlspec_call_with_known_registers:
    .cfi_startproc
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbp, 0
    push %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbx, 0
    push %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r12, 0
    push %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r13, 0
    push %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r14, 0
    push %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r15, 0
    sub $24, %rsp
    .cfi_adjust_cfa_offset 24
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    mov %rdi, %rax
    mov %rsi, %rdi
    mov $0x5a5a0001, %ebx
    mov $0x5a5a0002, %ebp
    mov $0x5a5a0003, %r12d
    mov $0x5a5a0004, %r13d
    mov $0x5a5a0005, %r14d
    mov $0x5a5a0006, %r15d
    call *%rax
    xor %eax, %eax
    mov $0x5a5a0001, %ecx
    cmp %rcx, %rbx
    je 1f
    or $1, %eax
1:  mov $0x5a5a0002, %ecx
    cmp %rcx, %rbp
    je 2f
    or $2, %eax
2:  mov $0x5a5a0003, %ecx
    cmp %rcx, %r12
    je 3f
    or $4, %eax
3:  mov $0x5a5a0004, %ecx
    cmp %rcx, %r13
    je 4f
    or $8, %eax
4:  mov $0x5a5a0005, %ecx
    cmp %rcx, %r14
    je 5f
    or $16, %eax
5:  mov $0x5a5a0006, %ecx
    cmp %rcx, %r15
    je 6f
    or $32, %eax
6:  pushfq
    .cfi_adjust_cfa_offset 8
    pop %rcx
    .cfi_adjust_cfa_offset -8
    test $0x400, %ecx
    je 7f
    or $64, %eax
    cld
7:  stmxcsr 8(%rsp)
    mov 8(%rsp), %ecx
    xor (%rsp), %ecx
    and $0xffc0, %ecx
    je 8f
    or $128, %eax
    ldmxcsr (%rsp)
8:  fnstcw 12(%rsp)
    mov 12(%rsp), %cx
    cmp 4(%rsp), %cx
    je 9f
    or $256, %eax
    fldcw 4(%rsp)
9:  add $24, %rsp
    .cfi_adjust_cfa_offset -24
    pop %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore %r15
    pop %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore %r14
    pop %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore %r13
    pop %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore %r12
    pop %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore %rbx
    pop %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore %rbp
    ret
    .cfi_endproc
    .size dlspec_call_with_known_registers, .-dlspec_call_with_known_registers
)");

namespace dlspec::conformance {

unsigned call_with_known_registers(void (*function)(void*), void* argument) {
  return dlspec_call_with_known_registers(function, argument);
}

std::span<const char* const> kept_registers() {
  static constexpr const char* names[] = {"rbx",
                                          "rbp",
                                          "r12",
                                          "r13",
                                          "r14",
                                          "r15",
                                          "the direction flag",
                                          "the control bits of mxcsr",
                                          "the x87 control word"};
  return names;
}

}  // namespace dlspec::conformance

#endif
