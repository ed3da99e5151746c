#include <dlspec/conformance/oracle/kept_registers.h>

#if defined(__aarch64__) && defined(__linux__)

// Procedure Call Standard for the Arm 64-bit Architecture: x19 to x29, the lower halves of v8 to v15 and the control
// bits of the floating point unit belong to the caller. The unwinder finds its way through, so that exceptions pass.
extern "C" unsigned dlspec_call_with_known_registers(void (*function)(void*), void* argument);
asm(R"(
    .macro dlspec_compare register, value, bit
    mov x10, #\value
    cmp \register, x10
    cset w10, ne
    orr w0, w0, w10, lsl #\bit
    .endm
    .text
    .p2align 4
    .local dlspec_call_with_known_registers
    .type dlspec_call_with_known_registers, %function
dlspec_call_with_known_registers:
    .cfi_startproc
    stp x29, x30, [sp, #-176]!
    .cfi_def_cfa_offset 176
    .cfi_offset x29, -176
    .cfi_offset x30, -168
    stp x19, x20, [sp, #16]
    .cfi_offset x19, -160
    .cfi_offset x20, -152
    stp x21, x22, [sp, #32]
    .cfi_offset x21, -144
    .cfi_offset x22, -136
    stp x23, x24, [sp, #48]
    .cfi_offset x23, -128
    .cfi_offset x24, -120
    stp x25, x26, [sp, #64]
    .cfi_offset x25, -112
    .cfi_offset x26, -104
    stp x27, x28, [sp, #80]
    .cfi_offset x27, -96
    .cfi_offset x28, -88
    stp d8, d9, [sp, #96]
    .cfi_offset d8, -80
    .cfi_offset d9, -72
    stp d10, d11, [sp, #112]
    .cfi_offset d10, -64
    .cfi_offset d11, -56
    stp d12, d13, [sp, #128]
    .cfi_offset d12, -48
    .cfi_offset d13, -40
    stp d14, d15, [sp, #144]
    .cfi_offset d14, -32
    .cfi_offset d15, -24
    mrs x9, fpcr
    str x9, [sp, #160]
    mov x9, x0
    mov x0, x1
    mov x19, #0x5a01
    mov x20, #0x5a02
    mov x21, #0x5a03
    mov x22, #0x5a04
    mov x23, #0x5a05
    mov x24, #0x5a06
    mov x25, #0x5a07
    mov x26, #0x5a08
    mov x27, #0x5a09
    mov x28, #0x5a0a
    mov x29, #0x5a0b
    fmov d8, x19
    fmov d9, x20
    fmov d10, x21
    fmov d11, x22
    fmov d12, x23
    fmov d13, x24
    fmov d14, x25
    fmov d15, x26
    blr x9
    mov w0, #0
    dlspec_compare x19, 0x5a01, 0
    dlspec_compare x20, 0x5a02, 1
    dlspec_compare x21, 0x5a03, 2
    dlspec_compare x22, 0x5a04, 3
    dlspec_compare x23, 0x5a05, 4
    dlspec_compare x24, 0x5a06, 5
    dlspec_compare x25, 0x5a07, 6
    dlspec_compare x26, 0x5a08, 7
    dlspec_compare x27, 0x5a09, 8
    dlspec_compare x28, 0x5a0a, 9
    dlspec_compare x29, 0x5a0b, 10
    fmov x11, d8
    dlspec_compare x11, 0x5a01, 11
    fmov x11, d9
    dlspec_compare x11, 0x5a02, 12
    fmov x11, d10
    dlspec_compare x11, 0x5a03, 13
    fmov x11, d11
    dlspec_compare x11, 0x5a04, 14
    fmov x11, d12
    dlspec_compare x11, 0x5a05, 15
    fmov x11, d13
    dlspec_compare x11, 0x5a06, 16
    fmov x11, d14
    dlspec_compare x11, 0x5a07, 17
    fmov x11, d15
    dlspec_compare x11, 0x5a08, 18
    ldr x11, [sp, #160]
    mrs x9, fpcr
    cmp x9, x11
    cset w10, ne
    orr w0, w0, w10, lsl #19
    msr fpcr, x11
    ldp d14, d15, [sp, #144]
    ldp d12, d13, [sp, #128]
    ldp d10, d11, [sp, #112]
    ldp d8, d9, [sp, #96]
    ldp x27, x28, [sp, #80]
    ldp x25, x26, [sp, #64]
    ldp x23, x24, [sp, #48]
    ldp x21, x22, [sp, #32]
    ldp x19, x20, [sp, #16]
    ldp x29, x30, [sp], #176
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
    .size dlspec_call_with_known_registers, .-dlspec_call_with_known_registers
    .purgem dlspec_compare
)");

namespace dlspec::conformance {

unsigned call_with_known_registers(void (*function)(void*), void* argument) {
  return dlspec_call_with_known_registers(function, argument);
}

std::span<const char* const> kept_registers() {
  static constexpr const char* names[] = {"x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
                                          "x29", "d8",  "d9",  "d10", "d11", "d12", "d13", "d14", "d15", "fpcr"};
  return names;
}

}  // namespace dlspec::conformance

#endif
