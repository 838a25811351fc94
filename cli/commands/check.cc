#include "cli/agreement.h"
#include "cli/commands/commands.h"
#include "common/slot/slot_ranges.h"

namespace slotd {
namespace {

class Findings {
 public:
  void add(const std::string& kind, const std::string& text) {
    list_.push_back({{"finding", kind}, {"text", text}});
  }
  const Json& json() const { return list_; }
  bool empty() const { return list_.empty(); }

 private:
  Json list_ = Json::array();
};

void check_coverage(const Topology& topology, Findings& findings) {
  SlotSet nobody = SlotSet::full() - topology.assigned();
  if (!nobody.empty()) {
    findings.add("uncovered", fmt::format("{} slots belong to nobody: {}", nobody.count(),
                                          format_slot_ranges(nobody)));
  }
  for (const NodeLine& node : topology.nodes) {
    std::string name = fmt::format("{}:{}", node.address.ip, node.address.port);
    if (node.failed && !node.slots.empty()) {
      findings.add("failed owner", fmt::format("{} has failed and owns {}", name,
                                               format_slot_ranges(node.slots)));
    } else if (node.failed || node.suspect) {
      findings.add("failed", fmt::format("{} is {}", name, node.failed ? "failed" : "suspected"));
    }
    if (node.master && !node.failed && node.slots.empty()) {
      findings.add("empty master",
                   fmt::format("{} owns no slots: slotctl migrate moves some to it", name));
    }
  }
}

SlotSet slots_of(const std::vector<std::pair<Slot, NodeId>>& open) {
  SlotSet slots;
  for (const auto& [slot, peer] : open) slots.insert(slot);
  return slots;
}

// Each node shows its own open slots only, so each is asked.
void check_node(ClusterClient& client, const NodeLine& node, const NodePicture& model,
                Findings& findings) {
  Endpoint endpoint = client.endpoint_of(node);
  Result<Topology> own = client.topology(endpoint);
  Result<NodePicture> picture = picture_of(client, endpoint);
  if (!own || !picture) {
    findings.add("unreachable", own ? picture.error().message : own.error().message);
    return;
  }
  const NodeLine& line = own->myself();
  if (!line.migrating.empty()) {
    findings.add("open slot", fmt::format("{} has slots migrating: {}", endpoint.text(),
                                          format_slot_ranges(slots_of(line.migrating))));
  }
  if (!line.importing.empty()) {
    findings.add("open slot", fmt::format("{} has slots importing: {}", endpoint.text(),
                                          format_slot_ranges(slots_of(line.importing))));
  }
  std::string differs = difference(model, *picture);
  if (!differs.empty()) findings.add("disagreement", differs);
  if (picture->state != "ok") {
    findings.add("not serving",
                 fmt::format("{} says cluster_state:{}", endpoint.text(), picture->state));
  }
  if (differs.empty() && picture->digest != model.digest) {
    findings.add("digest", fmt::format("{} has view digest {}, {} has {}", endpoint.text(),
                                       picture->digest, model.endpoint.text(), model.digest));
  }
}

ExitCode run(const Cli& cli) {
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<Topology> topology = client->topology();
  if (!topology) return cli.fail(topology.error());
  Result<NodePicture> model = picture_of(*client, client->endpoint_of(topology->myself()));
  if (!model) return cli.fail(model.error());
  Findings findings;
  check_coverage(*topology, findings);
  for (const NodeLine& node : topology->nodes) {
    if (!node.failed && !node.handshake) check_node(*client, node, *model, findings);
  }
  for (const Json& finding : findings.json()) {
    cli.printer().say(fmt::format("{}: {}", finding["finding"].get<std::string>(),
                                  finding["text"].get<std::string>()));
  }
  if (findings.empty()) {
    cli.printer().say(fmt::format("All is well: {} nodes agree, all {} slots are served{}.",
                                  topology->nodes.size(), kSlotCount,
                                  model->digest.empty() ? "" : ", view digest " + model->digest));
  }
  cli.printer().document({{"ok", findings.empty()}, {"findings", findings.json()}});
  return findings.empty() ? ExitCode::Done : ExitCode::ProblemsFound;
}

}  // namespace

void add_check(CLI::App& app, Cli& cli) {
  cli.command(app, "check", "Look for slots without owner, open slots, nodes that differ or fail",
              "slotctl check --json", [&cli] { return run(cli); });
}

}  // namespace slotd
