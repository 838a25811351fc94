#include "cli/slot_picture.h"

#include <algorithm>

#include "common/slot/slot_ranges.h"

namespace slotd {
namespace {

constexpr size_t kSlotsInCell = 8;
constexpr size_t kCellsInRow = 64;
constexpr size_t kRows = kSlotCount / kSlotsInCell / kCellsInRow;
static_assert(kRows * kCellsInRow * kSlotsInCell == kSlotCount);

// Six by six by six cube of the 256 colours: light backgrounds that differ from their neighbours.
constexpr int kColours[] = {117, 215, 156, 219, 229, 183, 123, 210, 194, 147, 222, 159};

std::string paint(const std::string& cell, size_t owner) {
  return fmt::format("\x1b[48;5;{}m\x1b[38;5;16m{}\x1b[0m", kColours[owner % std::size(kColours)],
                     cell);
}

struct Cell {
  size_t owner = SIZE_MAX;
  size_t slots = 0;
};

Cell look(const std::vector<const NodeLine*>& owners, size_t cell) {
  auto first = static_cast<Slot>(cell * kSlotsInCell);
  SlotSet window = SlotSet::of({first, static_cast<Slot>(first + kSlotsInCell - 1)});
  Cell best;
  for (size_t i = 0; i < owners.size(); ++i) {
    size_t slots = (owners[i]->slots & window).count();
    if (slots > best.slots) best = {i, slots};
  }
  return best;
}

std::string letter(const Cell& cell) {
  if (cell.slots == 0) return ".";
  char base = cell.slots == kSlotsInCell ? 'A' : 'a';
  return std::string(1, static_cast<char>(base + static_cast<int>(cell.owner % 26)));
}

}  // namespace

std::string slot_picture(const Topology& topology, bool colour) {
  std::vector<const NodeLine*> owners;
  for (const NodeLine& node : topology.nodes) {
    if (!node.slots.empty()) owners.push_back(&node);
  }
  std::sort(owners.begin(), owners.end(), [](const NodeLine* a, const NodeLine* b) {
    return a->slots.next(0) < b->slots.next(0);
  });
  std::string out;
  for (size_t row = 0; row < kRows; ++row) {
    out += fmt::format("{:>5} ", row * kCellsInRow * kSlotsInCell);
    for (size_t column = 0; column < kCellsInRow; ++column) {
      Cell cell = look(owners, row * kCellsInRow + column);
      bool painted = colour && cell.slots > 0;
      out += painted ? paint(letter(cell), cell.owner) : letter(cell);
    }
    out += '\n';
  }
  out += '\n';
  for (size_t i = 0; i < owners.size(); ++i) {
    std::string key = letter({i, kSlotsInCell});
    const NodeLine& node = *owners[i];
    out += fmt::format("  {} {} {}:{}  {} slots: {}\n", colour ? paint(key, i) : key,
                       node.id.short_hex(), node.address.ip, node.address.port, node.slots.count(),
                       format_slot_ranges(node.slots));
  }
  SlotSet nobody = SlotSet::full() - topology.assigned();
  if (!nobody.empty()) {
    out += fmt::format("  . nobody  {} slots: {}\n", nobody.count(), format_slot_ranges(nobody));
  }
  return out;
}

}  // namespace slotd
