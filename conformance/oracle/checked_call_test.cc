#include <dlspec/conformance/oracle/checked_call.h>

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace dlspec::conformance {
namespace {

int value = 0;

TEST(CheckedCall, PassesTheArgumentAndFindsNothing) {
  const CallReport report = checked_call([](void* argument) { value = *static_cast<int*>(argument); },
                                         [] {
                                           static int seven = 7;
                                           return &seven;
                                         }());
  EXPECT_EQ(value, 7);
  EXPECT_FALSE(report.threw);
  EXPECT_EQ(report.damaged, "");
}

TEST(CheckedCall, CatchesExceptionsOfEveryKind) {
  const CallReport standard = checked_call([](void*) { throw std::runtime_error("no"); }, nullptr);
  EXPECT_TRUE(standard.threw);
  EXPECT_EQ(standard.exception, "std::runtime_error");
  EXPECT_EQ(checked_call([](void*) { throw 7; }, nullptr).exception, "int");
  EXPECT_FALSE(checked_call([](void*) {}, nullptr).threw) << "the next call is judged by itself";
}

#if defined(__x86_64__)
asm(R"(
    .local change_rbx_by_asm
change_rbx_by_asm:
    xor %ebx, %ebx
    xor %r15d, %r15d
    ret
    .local set_direction_by_asm
set_direction_by_asm:
    std
    ret
    .local keep_by_asm
keep_by_asm:
    push %rbx
    xor %ebx, %ebx
    pop %rbx
    ret
)");
extern "C" void change_rbx_by_asm(void*);
extern "C" void set_direction_by_asm(void*);
extern "C" void keep_by_asm(void*);

TEST(CheckedCall, SeesRegistersThatAreNotKept) {
  EXPECT_EQ(checked_call(&change_rbx_by_asm, nullptr).damaged, "rbx, r15");
  EXPECT_EQ(checked_call(&set_direction_by_asm, nullptr).damaged, "the direction flag");
  EXPECT_EQ(checked_call(&keep_by_asm, nullptr).damaged, "");
}
#elif defined(__aarch64__)
asm(R"(
    .local change_x19_by_asm
change_x19_by_asm:
    mov x19, xzr
    fmov d15, xzr
    ret
    .local round_down_by_asm
round_down_by_asm:
    mov x9, #0x800000
    msr fpcr, x9
    ret
    .local keep_by_asm
keep_by_asm:
    mov x9, x19
    mov x19, xzr
    mov x19, x9
    ret
)");
extern "C" void change_x19_by_asm(void*);
extern "C" void round_down_by_asm(void*);
extern "C" void keep_by_asm(void*);

TEST(CheckedCall, SeesRegistersThatAreNotKept) {
  EXPECT_EQ(checked_call(&change_x19_by_asm, nullptr).damaged, "x19, d15");
  EXPECT_EQ(checked_call(&round_down_by_asm, nullptr).damaged, "fpcr");
  EXPECT_EQ(checked_call(&keep_by_asm, nullptr).damaged, "");
}
#endif

}  // namespace
}  // namespace dlspec::conformance
