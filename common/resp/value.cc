#include "common/resp/value.h"

#include "common/base/limits.h"
#include "common/resp/number.h"

namespace slotd {
namespace {

constexpr int kMaxDepth = 32;

class ReplyReader {
 public:
  explicit ReplyReader(std::string_view input) : input_(input) {}

  size_t position() const { return at_; }

  ParseStatus read(Value& out, int depth) {
    if (depth > kMaxDepth) return ParseStatus::Error;
    std::string_view line;
    ParseStatus status = read_line(line);
    if (status != ParseStatus::Done) return status;
    if (line.empty()) return ParseStatus::Error;
    char tag = line.front();
    line.remove_prefix(1);
    switch (tag) {
      case '+':
        return text(out, Value::Kind::Simple, line);
      case '-':
        return text(out, Value::Kind::Error, line);
      case '(':
        return text(out, Value::Kind::BigNumber, line);
      case ':':
        out.kind = Value::Kind::Integer;
        return checked(parse_integer(line, out.integer));
      case ',':
        return real(out, line);
      case '#':
        return boolean(out, line);
      case '_':
        out.kind = Value::Kind::Null;
        return checked(line.empty());
      case '$':
        return bulk(out, Value::Kind::Bulk, line);
      case '=':
        return bulk(out, Value::Kind::Verbatim, line);
      case '!':
        return bulk(out, Value::Kind::Error, line);
      case '*':
        return elements(out, Value::Kind::Array, line, 1, depth);
      case '~':
        return elements(out, Value::Kind::Set, line, 1, depth);
      case '>':
        return elements(out, Value::Kind::Push, line, 1, depth);
      case '%':
        return elements(out, Value::Kind::Map, line, 2, depth);
      default:
        return ParseStatus::Error;
    }
  }

 private:
  static ParseStatus checked(bool fine) { return fine ? ParseStatus::Done : ParseStatus::Error; }

  ParseStatus read_line(std::string_view& line) {
    size_t end = input_.find("\r\n", at_);
    if (end == std::string_view::npos) {
      return input_.size() - at_ > kMaxInlineBytes ? ParseStatus::Error : ParseStatus::NeedMore;
    }
    line = input_.substr(at_, end - at_);
    at_ = end + 2;
    return ParseStatus::Done;
  }

  static ParseStatus text(Value& out, Value::Kind kind, std::string_view line) {
    out.kind = kind;
    out.text = line;
    return ParseStatus::Done;
  }

  static ParseStatus real(Value& out, std::string_view line) {
    long double number = 0;
    out.kind = Value::Kind::Double;
    if (!parse_real(line, number)) return ParseStatus::Error;
    out.real = static_cast<double>(number);
    return ParseStatus::Done;
  }

  static ParseStatus boolean(Value& out, std::string_view line) {
    out.kind = Value::Kind::Boolean;
    out.integer = line == "t";
    return checked(line == "t" || line == "f");
  }

  // False when it is no length; -1 makes `out` null.
  static bool length(std::string_view line, int64_t limit, int64_t& count) {
    return parse_integer(line, count) && count >= -1 && count <= limit;
  }

  ParseStatus bulk(Value& out, Value::Kind kind, std::string_view line) {
    int64_t count = 0;
    if (!length(line, int64_t{kMaxBulkBytes}, count)) return ParseStatus::Error;
    out.kind = count < 0 ? Value::Kind::Null : kind;
    if (count < 0) return ParseStatus::Done;
    size_t bytes = static_cast<size_t>(count);
    if (input_.size() < at_ + bytes + 2) return ParseStatus::NeedMore;
    out.text = input_.substr(at_, bytes);
    at_ += bytes;
    if (input_.substr(at_, 2) != "\r\n") return ParseStatus::Error;
    at_ += 2;
    if (kind == Value::Kind::Verbatim) {
      if (bytes < 4 || out.text[3] != ':') return ParseStatus::Error;
      out.text.erase(0, 4);
    }
    return ParseStatus::Done;
  }

  ParseStatus elements(Value& out, Value::Kind kind, std::string_view line, int each, int depth) {
    int64_t count = 0;
    if (!length(line, int64_t{kMaxArguments}, count)) return ParseStatus::Error;
    out.kind = count < 0 ? Value::Kind::Null : kind;
    for (int64_t i = 0; i < count * each; ++i) {
      Value element;
      ParseStatus status = read(element, depth + 1);
      if (status != ParseStatus::Done) return status;
      out.elements.push_back(std::move(element));
    }
    return ParseStatus::Done;
  }

  std::string_view input_;
  size_t at_ = 0;
};

}  // namespace

ParseStatus parse_reply(std::string_view input, Value& out, size_t& consumed) {
  ReplyReader reader(input);
  out = Value{};
  ParseStatus status = reader.read(out, 0);
  consumed = status == ParseStatus::Done ? reader.position() : 0;
  return status;
}

}  // namespace slotd
