#include "cli/printer.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <functional>

using namespace slotd;

namespace {

// What `act` writes to stdout.
std::string stdout_of(const std::function<void()>& act) {
  std::fflush(stdout);
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  int saved = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  act();
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  std::rewind(file);
  std::string text;
  for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file)) {
    text.push_back(static_cast<char>(byte));
  }
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE("a table sets words to the left and numbers to the right", "[cli]") {
  Table table({"node", "keys"});
  table.add({"first", "5"});
  table.add({"b", "1200"});
  CHECK(table.text() ==
        "node   keys\n"
        "first     5\n"
        "b      1200\n");
}

TEST_CASE("a table without rows is its headings", "[cli]") {
  CHECK(Table({"node", "keys"}).text() == "node  keys\n");
}

TEST_CASE("with --json the document is all that stdout gets", "[cli]") {
  std::string text = stdout_of([] {
    Printer printer(true);
    printer.say("for people");
    printer.document({{"ok", true}});
  });
  Json json = Json::parse(text, nullptr, false);
  REQUIRE(json.is_object());
  CHECK(json["ok"] == true);
}

TEST_CASE("without --json stdout gets no document", "[cli]") {
  std::string text = stdout_of([] {
    Printer printer(false);
    printer.say("for people");
    printer.document({{"ok", true}});
  });
  CHECK(text == "for people\n");
}
