#pragma once

#include <string>
#include <string_view>

#include "common/base/bytes.h"
#include "common/base/result.h"
#include "common/slot/slot_set.h"

namespace slotd {

// How a slot set is written on the bus and in the state file. The numbers are on the wire: append
// only.
enum class MySlotsEncoding : uint8_t {
  Empty = 0,    // no bytes
  Full = 1,     // no bytes
  Roaring = 2,  // CRoaring's portable format, runs optimised
  Gaps = 3,     // Rice-coded runs or gaps, see myslots_gaps.h
  Raw = 4,      // the 2048-byte bitmap
};

std::string_view encoding_name(MySlotsEncoding encoding);
// "smallest" is not an encoding: it is the choice, made by MySlots::encode.
Result<MySlotsEncoding> parse_encoding_name(std::string_view name);

// A slot set in its encoded form: the tag and at most 2048 bytes that are known to decode. A value;
// this, and not the bitmap, is what is kept for each member, so that contiguous sets cost a few
// bytes.
class MySlots {
 public:
  // The empty set.
  MySlots() = default;

  // The encoding with the fewest bytes; on equal length the one with the lower number.
  static MySlots encode(const SlotSet& slots);
  // The given encoding, whatever it costs; where it cannot say the set in 2048 bytes, or the set is
  // not the one that Empty or Full mean, the result is Raw.
  static MySlots encode_as(const SlotSet& slots, MySlotsEncoding encoding);
  // Bytes from a peer or a file. Refused: an unknown tag, a wrong length, slots out of order or out
  // of range, trailing or non-zero padding bits. What is accepted decodes for good.
  static Result<MySlots> parse(uint8_t tag, ByteView bytes);

  SlotSet decode() const;
  MySlotsEncoding encoding() const { return encoding_; }
  ByteView bytes() const { return as_bytes(bytes_); }
  size_t count() const { return count_; }

  // Same encoded form; two encodings of one set differ.
  friend bool operator==(const MySlots&, const MySlots&) = default;

 private:
  MySlots(MySlotsEncoding encoding, ByteView bytes, size_t count)
      : encoding_(encoding), count_(static_cast<uint16_t>(count)), bytes_(as_text(bytes)) {}

  MySlotsEncoding encoding_ = MySlotsEncoding::Empty;
  uint16_t count_ = 0;  // 16384 fits
  std::string bytes_;  // and not Bytes: those of a contiguous set need no heap of their own
};

}  // namespace slotd
