#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "cli/cluster_client.h"
#include "cli/exit_codes.h"
#include "cli/printer.h"

namespace slotd {

// What all commands share: the options that each takes, and how they end.
class Cli {
 public:
  explicit Cli(std::string program) : program_(std::move(program)) {}

  // A command with the common options; `example` ends its --help. `run` gives the exit code.
  CLI::App* command(CLI::App& parent, const std::string& name, const std::string& what,
                    const std::string& example, std::function<ExitCode()> run);
  // --dry-run and --yes, for what changes a cluster.
  void changes(CLI::App* command);

  const std::string& program() const { return program_; }  // slotctl's own path
  Printer printer() const { return Printer(json_, colour_); }
  ConnectOptions connect_options() const;
  // By -a, or the local cluster that runs, or 127.0.0.1:7000.
  Result<ClusterClient> client() const;
  std::optional<std::string> address() const { return address_; }
  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(timeout_ms_.value_or(5000));
  }
  // How long all nodes may take to agree: what --timeout says, `usual` when it is not given.
  std::chrono::milliseconds agreement_timeout(std::chrono::milliseconds usual) const {
    return timeout_ms_ ? timeout() : usual;
  }

  // Prints the error, and the code that goes with it.
  ExitCode fail(const Error& error) const;
  // Whether to go on with a change that was shown: not with --dry-run, and not without a yes.
  // `code` is how the command ends if not.
  bool confirmed(const std::string& question, ExitCode& code) const;

  ExitCode ending = ExitCode::Done;

 private:
  std::string program_;
  std::optional<std::string> address_;
  std::string password_;
  bool json_ = false;
  bool colour_ = false;
  bool yes_ = false;
  bool dry_run_ = false;
  std::optional<int64_t> timeout_ms_;
};

}  // namespace slotd
