#include <dlspec/reference/testing/field_mutator.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace dlspec::testing {
namespace {

constexpr std::size_t most_fields = 512;
constexpr std::size_t most_kinds = 32;
constexpr std::size_t longest_field = 24;
constexpr std::uint32_t unchanged = 8;  // of so many fields that the string does not have one is filled

// xorshift64*, by Marsaglia and Vigna.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}

  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Du;
  }
  std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>((next() >> 32) % limit); }

 private:
  std::uint64_t state_;
};

struct Field {
  std::uint8_t kind = 0;
  std::uint8_t size = 0;
  std::array<std::uint8_t, longest_field> bytes{};

  // Two draws for three words: this takes most of the time.
  void fill(Random& random) {
    const std::uint64_t first = random.next(), second = random.next();
    const std::array<std::uint64_t, 3> words{first, second, first + (second << 32 | second >> 32)};
    static_assert(sizeof words == sizeof bytes);
    std::memcpy(bytes.data(), words.data(), sizeof bytes);
    size = longest_field;
  }
  // All but the first byte.
  void fill_rest(Random& random) {
    const std::uint8_t kept = bytes[0];
    fill(random);
    bytes[0] = kept;
  }
};

// The fields of a string, in its order. Fields behind its end are left out.
class Recorder : public FieldListener {
 public:
  std::span<const std::uint8_t> next_field(std::uint8_t kind, std::span<const std::uint8_t> rest) override {
    close(rest);
    if (count < most_fields && !rest.empty()) {
      fields[count].kind = kind % most_kinds;
      open_ = true;
    }
    begin_ = rest;
    return rest;
  }
  void end(std::span<const std::uint8_t> rest) override { close(rest); }

  std::array<Field, most_fields> fields;
  std::size_t count = 0;

 private:
  void close(std::span<const std::uint8_t> rest) {
    if (!open_) return;
    open_ = false;
    Field& field = fields[count];
    const std::size_t size = std::min(begin_.size() - rest.size(), longest_field);
    if (size == 0) return;
    field.bytes = {};
    if (size == 1) {
      field.bytes[0] = begin_[0];  // a call of memcpy takes longer
    } else {
      std::memcpy(field.bytes.data(), begin_.data(), size);
    }
    field.size = static_cast<std::uint8_t>(size);
    ++count;
  }

  std::span<const std::uint8_t> begin_;
  bool open_ = false;
};

// Gives a decoder the fields that it asks for, of each kind in their order, and writes down what it read of them.
class Assembler : public FieldListener {
 public:
  Assembler(Random& random, std::span<std::uint8_t> out) : random_(random), out_(out) {}

  // Fields come from one of these; where there are two, from either.
  void give(const Recorder& source) { sources_[source_count_++] = &source; }

  std::span<const std::uint8_t> next_field(std::uint8_t kind, std::span<const std::uint8_t> rest) override {
    write(rest);
    choose(kind % most_kinds);
    return given_ = current_.bytes;
  }
  void end(std::span<const std::uint8_t> rest) override { write(rest); }

  // Without zeros at the end, which a decoder reads behind any end.
  [[nodiscard]] std::size_t size() const {
    std::size_t size = size_;
    while (size > 0 && out_[size - 1] == 0) --size;
    return size;
  }

 private:
  // The next field of this kind in a source.
  const Field* next(std::size_t source, std::uint8_t kind) {
    const Recorder& recorder = *sources_[source];
    std::uint16_t& at = next_[source][kind];
    while (at < recorder.count && recorder.fields[at].kind != kind) ++at;
    return at < recorder.count ? &recorder.fields[at++] : nullptr;
  }

  void choose(std::uint8_t kind) {
    const Field* found = next(0, kind);
    if (source_count_ > 1) {
      const Field* const other = next(1, kind);
      if (random_.below(2) == 0) found = other;
    }
    if (found != nullptr) {
      current_ = *found;
      if (current_.size == 1) current_.fill_rest(random_);  // a selector that is new has what it selects
      return;
    }
    current_ = {.kind = kind};
    if (random_.below(unchanged) == 0) current_.fill(random_);
  }

  void write(std::span<const std::uint8_t> rest) {
    const std::size_t size = std::min(given_.size() - rest.size(), out_.size() - size_);
    if (!given_.empty() && size == 1) out_[size_] = given_[0];
    if (!given_.empty() && size > 1) std::memcpy(out_.data() + size_, given_.data(), size);
    if (!given_.empty()) size_ += size;
    given_ = {};
  }

  Random& random_;
  std::span<std::uint8_t> out_;
  std::size_t size_ = 0;
  std::array<const Recorder*, 2> sources_{};
  std::size_t source_count_ = 0;
  std::array<std::array<std::uint16_t, most_kinds>, 2> next_{};
  Field current_;
  std::span<const std::uint8_t> given_;
};

const Field& any_of_kind(const Recorder& recorder, std::uint8_t kind, Random& random) {
  const std::size_t start = random.below(recorder.count);
  for (std::size_t i = 0; i < recorder.count; ++i) {
    const Field& field = recorder.fields[(start + i) % recorder.count];
    if (field.kind == kind) return field;
  }
  return recorder.fields[start];
}

void change(Field& field, const Recorder& recorder, Random& random) {
  const std::uint32_t how = random.below(16);
  if (how < 8) {
    field.fill(random);
  } else if (how < 11) {
    field = any_of_kind(recorder, field.kind, random);
  } else if (how < 14) {
    std::uint8_t& byte = field.bytes[random.below(std::max<std::size_t>(field.size, 1))];
    byte = static_cast<std::uint8_t>(how == 11 ? byte + 1 : how == 12 ? byte - 1 : byte ^ 1u << random.below(8));
  } else {
    field.bytes = {};
    field.size = longest_field;
  }
}

}  // namespace

std::size_t mutate_fields(DecodeFields decode, std::span<const std::uint8_t> bytes, std::span<std::uint8_t> out,
                          std::uint32_t seed) {
  static thread_local Recorder recorder;
  recorder.count = 0;
  Random random(seed);
  decode(bytes, recorder);
  if (recorder.count != 0) {
    for (std::uint32_t left = 1 + random.below(4); left > 0; --left)
      change(recorder.fields[random.below(recorder.count)], recorder, random);
  }
  Assembler assembler(random, out);
  assembler.give(recorder);
  decode(bytes, assembler);
  return assembler.size();
}

std::size_t cross_fields(DecodeFields decode, std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                         std::span<std::uint8_t> out, std::uint32_t seed) {
  static thread_local Recorder one, other;
  one.count = other.count = 0;
  Random random(seed);
  decode(first, one);
  decode(second, other);
  Assembler assembler(random, out);
  assembler.give(one);
  assembler.give(other);
  decode(first, assembler);
  return assembler.size();
}

}  // namespace dlspec::testing
