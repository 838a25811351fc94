#include "daemon/client/info_text.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#include "daemon/client/command.h"
#include "daemon/client/server_identity.h"

namespace slotd {
namespace {

size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  size_t total = 0;
  size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

std::string human(size_t bytes) {
  double value = static_cast<double>(bytes);
  if (bytes < 1024) return fmt::format("{}B", bytes);
  for (char unit : {'K', 'M', 'G'}) {
    value /= 1024;
    if (value < 1024 || unit == 'G') return fmt::format("{:.2f}{}", value, unit);
  }
  return {};
}

std::string server_section(ClientContext& context) {
  utsname os{};
  uname(&os);
  int64_t uptime = to_ms(context.now() - context.started) / 1000;
  return fmt::format(
      "# Server\r\nredis_version:{}\r\nslotd_version:{}\r\nredis_mode:cluster\r\nos:{} {} {}\r\n"
      "arch_bits:64\r\nmultiplexing_api:libuv\r\nprocess_id:{}\r\nrun_id:{}\r\ntcp_port:{}\r\n"
      "server_time_usec:{}\r\nuptime_in_seconds:{}\r\nuptime_in_days:{}\r\nconfig_file:{}\r\n",
      kCompatibleVersion, kSlotdVersion, os.sysname, os.release, os.machine, getpid(),
      context.run_id, context.settings.port, context.wall_us(), uptime, uptime / 86400,
      context.settings.config_file);
}

std::string clients_section(ClientContext& context) {
  return fmt::format(
      "# Clients\r\nconnected_clients:{}\r\ncluster_connections:{}\r\n"
      "maxclients:{}\r\nblocked_clients:0\r\n",
      context.clients.size(), context.node.links().size(), context.settings.max_clients);
}

std::string memory_section(ClientContext& context) {
  size_t used = context.keys.store().memory_bytes();
  size_t resident = resident_bytes();
  return fmt::format(
      "# Memory\r\nused_memory:{}\r\nused_memory_human:{}\r\nused_memory_rss:{}\r\n"
      "used_memory_rss_human:{}\r\nused_memory_dataset:{}\r\nmaxmemory:0\r\nmaxmemory_human:0B\r\n"
      "maxmemory_policy:noeviction\r\nmem_allocator:libc\r\n",
      used, human(used), resident, human(resident), used);
}

std::string persistence_section(ClientContext&) {
  return "# Persistence\r\nloading:0\r\nrdb_bgsave_in_progress:0\r\naof_enabled:0\r\n";
}

std::string stats_section(ClientContext& context) {
  const ClientStats& stats = context.stats;
  return fmt::format(
      "# Stats\r\ntotal_connections_received:{}\r\ntotal_commands_processed:{}\r\n"
      "total_net_input_bytes:{}\r\ntotal_net_output_bytes:{}\r\nrejected_connections:{}\r\n"
      "expired_keys:{}\r\nevicted_keys:0\r\nkeyspace_hits:{}\r\nkeyspace_misses:{}\r\n"
      "pubsub_channels:0\r\npubsub_patterns:0\r\ntotal_error_replies:{}\r\n"
      "client_protocol_errors:{}\r\n",
      stats.connections_received, stats.commands, stats.bytes_in, stats.bytes_out,
      stats.connections_rejected, stats.keys_expired, stats.hits, stats.misses, stats.errors,
      stats.protocol_errors);
}

std::string replication_section(ClientContext& context) {
  bool master = context.node.view()->self().record->role == NodeRole::Master;
  return fmt::format(
      "# Replication\r\nrole:{}\r\nconnected_slaves:0\r\nmaster_failover_state:no-failover\r\n"
      "master_replid:{}\r\nmaster_repl_offset:0\r\n",
      master ? "master" : "slave", context.run_id);
}

std::string cpu_section(ClientContext&) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return fmt::format("# CPU\r\nused_cpu_sys:{}.{:06}\r\nused_cpu_user:{}.{:06}\r\n",
                     usage.ru_stime.tv_sec, usage.ru_stime.tv_usec, usage.ru_utime.tv_sec,
                     usage.ru_utime.tv_usec);
}

std::string cluster_section(ClientContext&) {
  return "# Cluster\r\ncluster_enabled:1\r\n";
}

std::string keyspace_section(ClientContext& context) {
  std::string text = "# Keyspace\r\n";
  size_t keys = context.keys.store().size();
  if (keys == 0) return text;
  return text +
         fmt::format("db0:keys={},expires={},avg_ttl=0\r\n", keys, context.keys.store().expiring());
}

std::string bus_section(ClientContext& context) {
  const Traffic& traffic = context.node.traffic();
  auto heartbeat = static_cast<size_t>(MessageKind::Heartbeat);
  TrafficCount sent = traffic.total_sent();
  TrafficCount received = traffic.total_received();
  return fmt::format(
      "# Slotd_bus\r\nheartbeats_sent:{}\r\nheartbeats_received:{}\r\nheartbeat_bytes_sent:{}\r\n"
      "heartbeat_bytes_received:{}\r\nlast_heartbeat_sent:{}\r\nlast_heartbeat_received:{}\r\n"
      "bus_messages_sent:{}\r\nbus_messages_received:{}\r\nbus_bytes_sent:{}\r\n"
      "bus_bytes_received:{}\r\nmyslots_sent:{}\r\nmyslots_bytes_sent:{}\r\nbus_bad_frames:{}\r\n",
      traffic.sent[heartbeat].messages, traffic.received[heartbeat].messages,
      traffic.sent[heartbeat].bytes, traffic.received[heartbeat].bytes, traffic.last_heartbeat_sent,
      traffic.last_heartbeat_received, sent.messages, received.messages, sent.bytes, received.bytes,
      traffic.myslots_sent, traffic.myslots_sent_bytes, context.node.bad_frames());
}

struct Section {
  std::string_view name;
  std::string (*write)(ClientContext&);
};

constexpr Section kSections[] = {
    {"server", server_section},     {"clients", clients_section},
    {"memory", memory_section},     {"persistence", persistence_section},
    {"stats", stats_section},       {"replication", replication_section},
    {"cpu", cpu_section},           {"cluster", cluster_section},
    {"keyspace", keyspace_section}, {"slotd_bus", bus_section},
};

bool wanted(std::string_view section, std::span<const std::string_view> names) {
  if (names.empty()) return true;
  for (std::string_view name : names) {
    for (std::string_view match : {section, std::string_view("all"), std::string_view("everything"),
                                   std::string_view("default")}) {
      if (equals_ignoring_case(name, match)) return true;
    }
  }
  return false;
}

}  // namespace

std::string info_text(ClientContext& context, std::span<const std::string_view> sections) {
  std::string text;
  for (const Section& section : kSections) {
    if (!wanted(section.name, sections)) continue;
    if (!text.empty()) text += "\r\n";
    text += section.write(context);
  }
  return text;
}

}  // namespace slotd
