#include "cli/heartbeat_table.h"

namespace slotd {
namespace {

int64_t number(const HeartbeatRow& row, const std::string& name) {
  auto at = row.numbers.find(name);
  return at == row.numbers.end() ? 0 : at->second;
}

HeartbeatRow read_row(const Endpoint& node, const std::vector<Reply>& fields) {
  HeartbeatRow row;
  row.node = node.text();
  for (size_t i = 0; i + 1 < fields.size(); i += 2) {
    const Reply& value = fields[i + 1];
    if (fields[i].text == "peer") row.peer = value.text;
    if (fields[i].text == "last-encoding") row.encoding = value.text;
    if (value.kind == Reply::Kind::Number) row.numbers[fields[i].text] = value.number;
  }
  return row;
}

// How many times the raw bitmap is longer than what was sent.
std::string ratio(const HeartbeatRow& row) {
  int64_t bytes = number(row, "last-myslots-bytes");
  if (row.encoding == "none") return "-";
  return bytes == 0 ? "all" : fmt::format("{:.0f}x", 2048.0 / static_cast<double>(bytes));
}

}  // namespace

Result<std::vector<HeartbeatRow>> read_heartbeats(ClusterClient& client, const Endpoint& node) {
  Result<Reply> reply = client.demand(node, {"CLUSTER", "HEARTBEATS"});
  if (!reply && reply.error().code == ErrorCode::Refused) {
    return make_error(ErrorCode::Refused,
                      "{} does not count its heartbeats (CLUSTER HEARTBEATS): {}", node.text(),
                      reply.error().message);
  }
  if (!reply) return reply.error();
  std::vector<HeartbeatRow> rows;
  for (const Reply& item : reply->items) rows.push_back(read_row(node, item.items));
  return rows;
}

std::string heartbeat_table(const std::vector<HeartbeatRow>& rows) {
  Table table(
      {"node", "peer", "sent", "received", "last", "mean", "encoding", "myslots", "raw", "ratio"});
  for (const HeartbeatRow& row : rows) {
    auto count = [&](const std::string& name) { return fmt::format("{}", number(row, name)); };
    bool none = row.encoding == "none";
    table.add({row.node, row.peer.substr(0, 8), count("heartbeats-sent"),
               count("heartbeats-received"), count("last-heartbeat-sent") + " B",
               count("mean-heartbeat-sent") + " B", row.encoding,
               none ? "-" : count("last-myslots-bytes") + " B", count("raw-myslots-bytes") + " B",
               ratio(row)});
  }
  return table.text();
}

Json heartbeat_json(const std::vector<HeartbeatRow>& rows) {
  Json list = Json::array();
  for (const HeartbeatRow& row : rows) {
    Json item = {{"node", row.node}, {"peer", row.peer}, {"last-encoding", row.encoding}};
    for (const auto& [name, value] : row.numbers) item[name] = value;
    list.push_back(item);
  }
  return list;
}

}  // namespace slotd
