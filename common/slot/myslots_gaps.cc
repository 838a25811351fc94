#include "common/slot/myslots_gaps.h"

#include <algorithm>
#include <bit>

namespace slotd {
namespace {

constexpr unsigned kMaxParameter = 13;
constexpr uint8_t kRunsForm = 1;
constexpr uint8_t kComplement = 2;

class BitWriter {
 public:
  explicit BitWriter(Bytes& out) : out_(out) {}
  ~BitWriter() { flush(); }

  void put(uint64_t bits, unsigned count) {
    pending_ |= bits << used_;
    used_ += count;
    while (used_ >= 8) {
      out_.push_back(static_cast<uint8_t>(pending_));
      pending_ >>= 8;
      used_ -= 8;
    }
  }

  void put_rice(uint32_t number, unsigned parameter) {
    uint32_t zeros = number >> parameter;
    for (; zeros >= 32; zeros -= 32) put(0, 32);
    put(uint64_t{1} << zeros, zeros + 1);
    put(number & ((1u << parameter) - 1), parameter);
  }

 private:
  void flush() {
    if (used_ > 0) out_.push_back(static_cast<uint8_t>(pending_));
  }

  Bytes& out_;
  uint64_t pending_ = 0;
  unsigned used_ = 0;
};

class BitReader {
 public:
  explicit BitReader(ByteView in) : in_(in) {}

  enum class Read : uint8_t { Number, End, Bad };

  Read get_rice(unsigned parameter, uint32_t& number) {
    uint32_t zeros = 0;
    while (true) {
      refill();
      if (pending_ != 0) break;
      // Only zeros are left: the end, if they are no more than the padding of one byte.
      zeros += available_;
      available_ = 0;
      if (next_ == in_.size()) return zeros < 8 ? Read::End : Read::Bad;
      if (zeros > kSlotCount) return Read::Bad;
    }
    auto more = static_cast<unsigned>(std::countr_zero(pending_));
    zeros += more;
    drop(more + 1);
    refill();
    if (available_ < parameter) return Read::Bad;
    number = zeros << parameter | static_cast<uint32_t>(pending_ & ((1u << parameter) - 1));
    drop(parameter);
    return zeros > kSlotCount ? Read::Bad : Read::Number;
  }

 private:
  void refill() {
    while (available_ <= 56 && next_ < in_.size()) {
      pending_ |= uint64_t{in_[next_++]} << available_;
      available_ += 8;
    }
  }
  void drop(unsigned count) {
    pending_ = count == 64 ? 0 : pending_ >> count;
    available_ -= count;
  }

  ByteView in_;
  size_t next_ = 0;
  uint64_t pending_ = 0;
  unsigned available_ = 0;
};

using Numbers = std::vector<uint32_t>;

size_t cost_bits(const Numbers& numbers, unsigned parameter) {
  size_t bits = numbers.size() * (parameter + 1);
  for (uint32_t number : numbers) bits += number >> parameter;
  return bits;
}

// The cost is convex in the parameter and least near log2 of the mean.
unsigned best_parameter(const Numbers& numbers, size_t& bits) {
  size_t sum = 0;
  for (uint32_t number : numbers) sum += number;
  size_t mean = numbers.empty() ? 0 : sum / numbers.size();
  auto guess = static_cast<unsigned>(std::bit_width(mean));
  unsigned best = 0;
  bits = SIZE_MAX;
  for (unsigned k = guess > 1 ? guess - 2 : 0; k <= std::min(guess + 1, kMaxParameter); ++k) {
    size_t cost = cost_bits(numbers, k);
    if (cost < bits) {
      bits = cost;
      best = k;
    }
  }
  return best;
}

Numbers element_gaps(const SlotSet& slots) {
  Numbers gaps;
  gaps.reserve(slots.count());
  uint32_t next = 0;
  slots.for_each([&](Slot slot) {
    gaps.push_back(slot - next);
    next = slot + 1u;
  });
  return gaps;
}

void split_runs(const SlotSet& slots, Numbers& gaps, Numbers& lengths) {
  uint32_t next = 0;
  for (SlotRange run : slots.ranges()) {
    gaps.push_back(gaps.empty() ? run.first : run.first - next - 1u);
    lengths.push_back(uint32_t{run.last} - run.first);
    next = run.last + 1u;
  }
}

Bytes write_elements(const Numbers& gaps, unsigned k, bool complement) {
  Bytes out{static_cast<uint8_t>((complement ? kComplement : 0) | k << 2)};
  BitWriter writer(out);
  for (uint32_t gap : gaps) writer.put_rice(gap, k);
  return out;
}

Bytes write_runs(const Numbers& gaps, unsigned k, const Numbers& lengths, unsigned k_length) {
  Bytes out{static_cast<uint8_t>(kRunsForm | k << 2), static_cast<uint8_t>(k_length)};
  BitWriter writer(out);
  for (size_t i = 0; i < gaps.size(); ++i) {
    writer.put_rice(gaps[i], k);
    writer.put_rice(lengths[i], k_length);
  }
  return out;
}

bool read_elements(BitReader& reader, unsigned k, SlotSet& slots) {
  uint32_t next = 0;
  while (true) {
    uint32_t gap = 0;
    BitReader::Read read = reader.get_rice(k, gap);
    if (read != BitReader::Read::Number) return read == BitReader::Read::End;
    if (gap >= kSlotCount - next) return false;
    next += gap;
    slots.insert(static_cast<Slot>(next++));
    if (next == kSlotCount) return reader.get_rice(k, gap) == BitReader::Read::End;
  }
}

bool read_runs(BitReader& reader, unsigned k, unsigned k_length, SlotSet& slots) {
  uint32_t next = 0;
  for (bool first = true;; first = false) {
    uint32_t gap = 0;
    uint32_t length = 0;
    BitReader::Read read = reader.get_rice(k, gap);
    if (read != BitReader::Read::Number) return read == BitReader::Read::End;
    if (reader.get_rice(k_length, length) != BitReader::Read::Number) return false;
    uint32_t start = next + gap + (first ? 0u : 1u);
    if (start >= kSlotCount || length >= kSlotCount - start) return false;
    slots.insert(SlotRange{static_cast<Slot>(start), static_cast<Slot>(start + length)});
    next = start + length + 1;
  }
}

}  // namespace

Bytes encode_gaps(const SlotSet& slots) {
  size_t count = slots.count();
  bool complement = count > kSlotCount / 2;
  size_t elements = complement ? kSlotCount - count : count;
  Numbers run_gaps;
  Numbers run_lengths;
  split_runs(slots, run_gaps, run_lengths);
  size_t gap_bits = 0;
  size_t length_bits = 0;
  unsigned k_gap = best_parameter(run_gaps, gap_bits);
  unsigned k_length = best_parameter(run_lengths, length_bits);
  size_t run_bits = 8 + (run_gaps.empty() ? 0 : gap_bits + length_bits);
  // An element takes a bit at least, so a set of a few long ranges need not be measured by
  // elements.
  if (run_bits < elements) return write_runs(run_gaps, k_gap, run_lengths, k_length);
  Numbers gaps = element_gaps(complement ? SlotSet::full() - slots : slots);
  size_t element_bits = 0;
  unsigned k = best_parameter(gaps, element_bits);
  if (!gaps.empty() && run_bits < element_bits) {
    return write_runs(run_gaps, k_gap, run_lengths, k_length);
  }
  return write_elements(gaps, k, complement);
}

std::optional<SlotSet> decode_gaps(ByteView bytes) {
  if (bytes.empty() || bytes[0] >= 64) return std::nullopt;
  bool runs = (bytes[0] & kRunsForm) != 0;
  bool complement = (bytes[0] & kComplement) != 0;
  unsigned k = bytes[0] >> 2;
  size_t header = runs ? 2 : 1;
  if (k > kMaxParameter || bytes.size() < header) return std::nullopt;
  if (runs && (bytes[1] > kMaxParameter || complement)) return std::nullopt;
  BitReader reader(bytes.subspan(header));
  SlotSet slots;
  bool good = runs ? read_runs(reader, k, bytes[1], slots) : read_elements(reader, k, slots);
  if (!good) return std::nullopt;
  return complement ? SlotSet::full() - slots : slots;
}

}  // namespace slotd
