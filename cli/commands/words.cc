#include "cli/commands/commands.h"
#include "cli/word_keys.h"

namespace slotd {
namespace {

struct Options {
  std::string file;
  std::string prefix;
};

ExitCode load(const Cli& cli, const Options& options) {
  Result<WordKeys> keys = read_words(options.file, options.prefix);
  if (!keys) return cli.fail(keys.error());
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<void> loaded = load_words(*client, *keys);
  if (!loaded) return cli.fail(loaded.error());
  cli.printer().say(
      fmt::format("{} keys set, {} redirects followed.", keys->words.size(), client->redirects));
  cli.printer().document({{"keys", keys->words.size()}, {"redirects", client->redirects}});
  return ExitCode::Done;
}

ExitCode verify(const Cli& cli, const Options& options) {
  Result<WordKeys> keys = read_words(options.file, options.prefix);
  if (!keys) return cli.fail(keys.error());
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<WordCheck> check = check_words(*client, *keys);
  if (!check) return cli.fail(check.error());
  bool good = check->right == keys->words.size() && check->keys_on_masters == keys->words.size();
  cli.printer().say(fmt::format(
      "{} of {} keys are right, {} missing, {} wrong; the masters hold {} keys.", check->right,
      keys->words.size(), check->missing, check->wrong, check->keys_on_masters));
  cli.printer().document({{"keys", keys->words.size()},
                          {"right", check->right},
                          {"missing", check->missing},
                          {"wrong", check->wrong},
                          {"keys_on_masters", check->keys_on_masters},
                          {"ok", good}});
  return good ? ExitCode::Done : ExitCode::ProblemsFound;
}

}  // namespace

void add_words(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  auto with_file = [&](CLI::App* command) {
    command->add_option("file", options->file, "The file")->required();
    command->add_option("--prefix", options->prefix, "What each key begins with");
  };
  with_file(cli.command(app, "load", "Set each line of a file as a key, its number as the value",
                        "slotctl load /usr/share/dict/words --prefix word:",
                        [&cli, options] { return load(cli, *options); }));
  with_file(cli.command(
      app, "verify", "See that each line of a file is there exactly once, as load has set it",
      "slotctl verify /usr/share/dict/words --prefix word:",
      [&cli, options] { return verify(cli, *options); }));
}

}  // namespace slotd
