#include "common/text/nodes_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace slotd {
namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view text, char separator) {
  Words words;
  while (true) {
    size_t end = text.find(separator);
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

// ip:port[@bus_port][,hostname][,key=value…]; the ip may be empty, bracketed, or full of colons.
bool parse_address(std::string_view text, NodeAddress& address) {
  Words parts = split(text, ',');
  if (parts.size() > 1 && parts[1].find('=') == std::string_view::npos) address.hostname = parts[1];
  std::string_view endpoint = parts[0];
  size_t at = endpoint.find('@');
  if (at != std::string_view::npos) {
    if (!parse_number(endpoint.substr(at + 1), address.bus_port)) return false;
    endpoint = endpoint.substr(0, at);
  }
  size_t colon = endpoint.rfind(':');
  if (colon == std::string_view::npos) return false;
  std::string_view ip = endpoint.substr(0, colon);
  if (ip.starts_with('[') && ip.ends_with(']')) ip = ip.substr(1, ip.size() - 2);
  address.ip = ip;
  return parse_number(endpoint.substr(colon + 1), address.port);
}

void parse_flags(std::string_view text, NodeLine& line) {
  for (std::string_view flag : split(text, ',')) {
    if (flag == "myself") line.myself = true;
    if (flag == "master") line.master = true;
    if (flag == "slave" || flag == "replica") line.replica = true;
    if (flag == "fail?") line.suspect = true;
    if (flag == "fail") line.failed = true;
    if (flag == "handshake") line.handshake = true;
    if (flag == "noaddr") line.noaddr = true;
    if (flag == "nofailover") line.nofailover = true;
  }
}

// "[93->-id]" and "[93-<-id]": a slot on its way out, or in.
bool parse_open_slot(std::string_view item, NodeLine& line) {
  if (!item.ends_with(']')) return false;
  item = item.substr(1, item.size() - 2);
  size_t out = item.find("->-");
  size_t in = item.find("-<-");
  size_t mark = std::min(out, in);
  Slot slot = 0;
  NodeId peer;
  if (mark == std::string_view::npos || !parse_number(item.substr(0, mark), slot)) return false;
  if (slot >= kSlotCount || !NodeId::parse(item.substr(mark + 3), peer)) return false;
  (mark == out ? line.migrating : line.importing).emplace_back(slot, peer);
  return true;
}

bool parse_slots(std::string_view item, NodeLine& line) {
  if (item.starts_with('[')) return parse_open_slot(item, line);
  size_t dash = item.find('-');
  Slot first = 0;
  if (!parse_number(item.substr(0, dash), first)) return false;
  Slot last = first;
  if (dash != std::string_view::npos && !parse_number(item.substr(dash + 1), last)) return false;
  if (last < first || last >= kSlotCount) return false;
  line.slots.insert(SlotRange{first, last});
  return true;
}

// The name of the first field that is wrong, or nothing.
std::string_view parse_line(const Words& words, NodeLine& line) {
  if (words.size() < 8) return "number of fields";
  if (!NodeId::parse(words[0], line.id)) return "node id";
  if (!parse_address(words[1], line.address)) return "address";
  parse_flags(words[2], line);
  if (words[3] != "-" && !NodeId::parse(words[3], line.master_id)) return "master id";
  if (!parse_number(words[4], line.ping_sent_ms)) return "ping time";
  if (!parse_number(words[5], line.pong_received_ms)) return "pong time";
  if (!parse_number(words[6], line.config_epoch)) return "config epoch";
  line.connected = words[7] == "connected";
  for (size_t i = 8; i < words.size(); ++i) {
    if (!words[i].empty() && !parse_slots(words[i], line)) return "slots";
  }
  return {};
}

std::string flags_of(const ClusterView& view, const Member& member) {
  std::string flags = member.record->id == view.myself ? "myself," : "";
  flags += member.record->role == NodeRole::Master ? "master" : "slave";
  if (member.health == Health::Suspect) flags += ",fail?";
  if (member.health == Health::Failed) flags += ",fail";
  if (member.record->address.ip.empty() && member.record->id != view.myself) flags += ",noaddr";
  return flags;
}

void format_open_slots(const ClusterView& view, std::string& out) {
  auto at = std::back_inserter(out);
  for (const auto& [slot, node] : view.migrating)
    fmt::format_to(at, " [{}->-{}]", slot, node.hex());
  for (const auto& [slot, node] : view.importing)
    fmt::format_to(at, " [{}-<-{}]", slot, node.hex());
}

int64_t unix_ms(Instant instant, Duration unix_offset) {
  return instant == Instant{} ? 0 : to_ms(instant.time_since_epoch() + unix_offset);
}

void format_member(const ClusterView& view, const Member& member, const LinkStatus* link,
                   Duration unix_offset, std::string& out) {
  const NodeRecord& record = *member.record;
  const NodeAddress& address = record.address;
  bool myself = record.id == view.myself;
  bool connected = myself || (link != nullptr ? link->connected : member.health == Health::Ok);
  int64_t heard = link != nullptr && !myself ? unix_ms(link->last_heard, unix_offset) : 0;
  bool waits = link != nullptr && !link->connected && !myself;
  fmt::format_to(std::back_inserter(out), "{} {}:{}@{}{}{} {} {} {} {} {} {}", record.id.hex(),
                 address.ip, address.port, address.bus_port, address.hostname.empty() ? "" : ",",
                 address.hostname, flags_of(view, member),
                 record.master.is_zero() ? "-" : record.master.hex(), waits ? heard : 0, heard,
                 record.config_epoch.value, connected ? "connected" : "disconnected");
}

}  // namespace

Result<std::vector<NodeLine>> parse_nodes_text(std::string_view text) {
  std::vector<NodeLine> lines;
  size_t number = 0;
  for (std::string_view row : split(text, '\n')) {
    ++number;
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (row.empty()) continue;
    NodeLine line;
    std::string_view wrong = parse_line(split(row, ' '), line);
    if (!wrong.empty()) {
      return make_error(ErrorCode::Corrupt, "cluster nodes, line {}: bad {}: '{}'", number, wrong,
                        row);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string format_nodes_text(const ClusterView& view, std::span<const LinkStatus> links,
                              Duration unix_offset) {
  std::string out;
  auto ranges = view.ranges_by_member();
  for (size_t i = 0; i < view.members.size(); ++i) {
    const Member& member = view.members[i];
    auto link = std::find_if(links.begin(), links.end(), [&](const LinkStatus& status) {
      return status.peer == member.record->id;
    });
    format_member(view, member, link == links.end() ? nullptr : &*link, unix_offset, out);
    for (SlotRange range : ranges[i]) {
      out += range.first == range.last ? fmt::format(" {}", range.first)
                                       : fmt::format(" {}-{}", range.first, range.last);
    }
    if (member.record->id == view.myself) format_open_slots(view, out);
    out.push_back('\n');
  }
  return out;
}

}  // namespace slotd
