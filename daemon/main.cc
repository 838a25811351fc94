// slotd: see README.md; every directive is in conf/slotd.conf.
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "daemon/client/server_identity.h"
#include "daemon/server.h"

namespace {

constexpr const char* kUsage =
    "usage: slotd [slotd.conf] [--directive value ...]\n"
    "\n"
    "  slotd --port 7000 --dir /var/lib/slotd     a node with a directory of its own\n"
    "  slotd slotd.conf --port 7001               the command line overrides the file\n"
    "  slotd --version\n"
    "\n"
    "Every directive is explained in conf/slotd.conf. slotctl makes a cluster of running "
    "daemons.\n";

int fail(const slotd::Error& error) {
  std::fprintf(stderr, "slotd: %s\n", error.message.c_str());
  return 1;
}

slotd::Result<void> open_log(const slotd::Config& config) {
  try {
    const std::string& file = config.text("logfile");
    if (!file.empty()) spdlog::set_default_logger(spdlog::basic_logger_mt("slotd", file));
  } catch (const spdlog::spdlog_ex& error) {
    return slotd::make_error(slotd::ErrorCode::Io, "cannot open the log: {}", error.what());
  }
  spdlog::set_pattern("%Y-%m-%d %H:%M:%S.%e %P %l %v");
  spdlog::flush_on(spdlog::level::info);
  slotd::apply_log_level(config.text("loglevel"));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h")) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  if (!arguments.empty() && (arguments[0] == "--version" || arguments[0] == "-v")) {
    std::printf("slotd %s\n", std::string(slotd::kSlotdVersion).c_str());
    return 0;
  }
  std::signal(SIGPIPE, SIG_IGN);
  slotd::Config config;
  slotd::Result<void> loaded = config.load(arguments);
  if (!loaded) return fail(loaded.error());
  if (config.flag("daemonize") && daemon(1, 0) != 0) {
    return fail({slotd::ErrorCode::Io, "cannot go to the background"});
  }
  slotd::Result<void> logging = open_log(config);
  if (!logging) return fail(logging.error());
  bool logs_to_file = !config.text("logfile").empty();
  auto server = slotd::Server::start(std::move(config));
  if (!server) {
    if (logs_to_file) spdlog::error("{}", server.error().message);
    return fail(server.error());
  }
  (*server)->run();
  return 0;
}
