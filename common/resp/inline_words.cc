#include "common/resp/inline_words.h"

#include <cctype>

#include "common/base/bytes.h"

namespace slotd {
namespace {

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

class WordSplitter {
 public:
  WordSplitter(std::string_view line, std::string& bytes) : line_(line), bytes_(bytes) {}

  void skip_blanks() {
    while (!at_end() && is_blank(line_[at_])) ++at_;
  }
  bool at_end() const { return at_ >= line_.size(); }

  bool word() {
    while (!at_end() && !is_blank(line_[at_])) {
      char c = line_[at_++];
      if (c == '"' || c == '\'') {
        if (!quoted(c)) return false;
        return at_end() || is_blank(line_[at_]);
      }
      bytes_.push_back(c);
    }
    return true;
  }

 private:
  bool quoted(char quote) {
    while (!at_end()) {
      char c = line_[at_++];
      if (c == quote) return true;
      if (c == '\\' && !at_end()) {
        if (quote == '"') {
          escape();
          continue;
        }
        if (line_[at_] == '\'') c = line_[at_++];
      }
      bytes_.push_back(c);
    }
    return false;
  }

  void escape() {
    uint8_t byte[1];
    if (line_[at_] == 'x' && at_ + 2 < line_.size() && from_hex(line_.substr(at_ + 1, 2), byte)) {
      bytes_.push_back(static_cast<char>(byte[0]));
      at_ += 3;
      return;
    }
    char c = line_[at_++];
    switch (c) {
      case 'n':
        c = '\n';
        break;
      case 'r':
        c = '\r';
        break;
      case 't':
        c = '\t';
        break;
      case 'b':
        c = '\b';
        break;
      case 'a':
        c = '\a';
        break;
      default:
        break;
    }
    bytes_.push_back(c);
  }

  std::string_view line_;
  std::string& bytes_;
  size_t at_ = 0;
};

}  // namespace

bool split_inline_words(std::string_view line, std::string& bytes, std::vector<size_t>& lengths) {
  WordSplitter splitter(line, bytes);
  for (splitter.skip_blanks(); !splitter.at_end(); splitter.skip_blanks()) {
    size_t before = bytes.size();
    if (!splitter.word()) return false;
    lengths.push_back(bytes.size() - before);
  }
  return true;
}

}  // namespace slotd
