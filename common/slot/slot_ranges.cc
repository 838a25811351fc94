#include "common/slot/slot_ranges.h"

#include <charconv>

namespace slotd {
namespace {

Result<Slot> parse_slot(std::string_view text, std::string_view part) {
  size_t position = static_cast<size_t>(part.data() - text.data()) + 1;
  if (part.empty()) {
    return make_error(ErrorCode::InvalidArgument,
                      "slot ranges '{}': a slot is missing at position {}", text, position);
  }
  uint64_t value = 0;
  auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  bool all_digits = part.find_first_not_of("0123456789") == std::string_view::npos;
  if (!all_digits) {
    return make_error(ErrorCode::InvalidArgument,
                      "slot ranges '{}': '{}' at position {} is not a slot", text, part, position);
  }
  if (error != std::errc{} || value >= kSlotCount) {
    return make_error(ErrorCode::OutOfRange,
                      "slot ranges '{}': slot {} at position {} is out of range 0-16383", text,
                      part, position);
  }
  return static_cast<Slot>(value);
}

Result<SlotRange> parse_range(std::string_view text, std::string_view item) {
  size_t dash = item.find('-');
  std::string_view first_text = item.substr(0, dash);
  Result<Slot> first = parse_slot(text, first_text);
  if (!first) return first.error();
  if (dash == std::string_view::npos) return SlotRange{*first, *first};
  Result<Slot> last = parse_slot(text, item.substr(dash + 1));
  if (!last) return last.error();
  if (*last < *first) {
    return make_error(ErrorCode::InvalidArgument,
                      "slot ranges '{}': range {} at position {} runs backwards", text, item,
                      item.data() - text.data() + 1);
  }
  return SlotRange{*first, *last};
}

}  // namespace

Result<SlotSet> parse_slot_ranges(std::string_view text) {
  SlotSet slots;
  size_t start = 0;
  while (true) {
    size_t comma = text.find(',', start);
    std::string_view item =
        text.substr(start, comma == std::string_view::npos ? comma : comma - start);
    Result<SlotRange> range = parse_range(text, item);
    if (!range) return range.error();
    SlotSet added = SlotSet::of(*range);
    if (slots.intersects(added)) {
      return make_error(ErrorCode::Conflict,
                        "slot ranges '{}': slot {} is named again at position {}", text,
                        (slots & added).next(0), start + 1);
    }
    slots |= added;
    if (comma == std::string_view::npos) return slots;
    start = comma + 1;
  }
}

std::string format_slot_ranges(const SlotSet& slots) {
  std::string text;
  for (SlotRange range : slots.ranges()) {
    if (!text.empty()) text.push_back(',');
    text += fmt::format("{}", range.first);
    if (range.last != range.first) text += fmt::format("-{}", range.last);
  }
  return text;
}

}  // namespace slotd
