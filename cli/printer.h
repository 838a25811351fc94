#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace slotd {

using Json = nlohmann::ordered_json;

// Columns of text, as wide as their widest cell; numbers to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> headings) : rows_{std::move(headings)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// What a command has to say: with --json one document on stdout and nothing else there, otherwise
// text. Notes (progress, warnings) always go to stderr.
class Printer {
 public:
  explicit Printer(bool json, bool forced_colour = false)
      : json_(json), forced_colour_(forced_colour) {}

  bool json() const { return json_; }
  // Text for people; nothing with --json.
  void say(const std::string& text) const;
  // The document; nothing without --json. Once a command.
  void document(const Json& value) const;
  void note(const std::string& text) const;
  // A line that the next one replaces, for progress; only on a terminal.
  void progress(const std::string& text) const;
  // On a terminal, or when forced; never within a document.
  bool colour() const;

 private:
  bool json_;
  bool forced_colour_;
};

// A document as text. Keys may hold any bytes and JSON may not: what is no UTF-8 becomes U+FFFD.
std::string json_text(const Json& value);

// "1.2 k", "3.4 M": counts and bytes for people.
std::string short_number(double value);

}  // namespace slotd
