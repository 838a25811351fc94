#include "cli/commands/commands.h"

namespace slotd {
namespace {

// Needs no cluster: without one the owner column is left out.
ExitCode run(const Cli& cli, const std::vector<std::string>& keys) {
  Result<ClusterClient> client = cli.client();
  std::optional<Topology> topology;
  if (client) {
    Result<Topology> found = client->topology();
    if (found) {
      topology = *std::move(found);
    } else if (cli.address()) {
      return cli.fail(found.error());
    }
  }
  Table table({"slot", "key", "hashed", "owner"});
  Json list = Json::array();
  for (const std::string& key : keys) {
    Slot slot = key_slot(key);
    const NodeLine* owner = topology ? topology->owner(slot) : nullptr;
    std::string where = owner ? fmt::format("{}:{}", owner->address.ip, owner->address.port) : "";
    std::string hashed(hash_tag(key));
    table.add({fmt::format("{}", slot), key, hashed, where.empty() ? "-" : where});
    Json item = {{"key", key}, {"hashed", hashed}, {"slot", slot}};
    item["owner"] = owner ? Json(where) : Json(nullptr);
    list.push_back(item);
  }
  cli.printer().say(table.text());
  cli.printer().document({{"keys", list}});
  return ExitCode::Done;
}

}  // namespace

void add_slot(CLI::App& app, Cli& cli) {
  auto keys = std::make_shared<std::vector<std::string>>();
  CLI::App* command =
      cli.command(app, "slot", "Show the slot of keys, and who owns it",
                  "slotctl slot 'user:{42}:name' foo", [&cli, keys] { return run(cli, *keys); });
  command->add_option("keys", *keys, "Keys")->required();
}

}  // namespace slotd
