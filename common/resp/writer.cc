#include "common/resp/writer.h"

#include <algorithm>
#include <charconv>

#include "common/resp/number.h"

namespace slotd {
namespace {

template <typename Number>
void append_line(std::string& out, char tag, Number value) {
  char line[24];
  line[0] = tag;
  char* end = std::to_chars(line + 1, line + sizeof line - 2, value).ptr;
  *end++ = '\r';
  *end++ = '\n';
  out.append(line, end);
}

}  // namespace

void RespWriter::header(char tag, size_t count) {
  append_line(out_, tag, count);
}

void RespWriter::simple(std::string_view text) {
  out_ += '+';
  out_ += text;
  out_ += "\r\n";
}

void RespWriter::error(std::string_view text) {
  out_ += '-';
  size_t start = out_.size();
  out_ += text;
  std::replace_if(
      out_.begin() + static_cast<std::ptrdiff_t>(start), out_.end(),
      [](char c) { return c == '\r' || c == '\n'; }, ' ');
  out_ += "\r\n";
}

void RespWriter::integer(int64_t value) {
  append_line(out_, ':', value);
}

void RespWriter::bulk(std::string_view bytes) {
  header('$', bytes.size());
  out_ += bytes;
  out_ += "\r\n";
}

void RespWriter::null() {
  out_ += resp3() ? "_\r\n" : "$-1\r\n";
}

void RespWriter::null_array() {
  out_ += resp3() ? "_\r\n" : "*-1\r\n";
}

void RespWriter::map(size_t pairs) {
  if (resp3()) {
    header('%', pairs);
  } else {
    header('*', pairs * 2);
  }
}

void RespWriter::real(double value) {
  std::string text = format_real(value);
  if (!resp3()) return bulk(text);
  out_ += ',';
  out_ += text;
  out_ += "\r\n";
}

void RespWriter::boolean(bool value) {
  if (!resp3()) return integer(value ? 1 : 0);
  out_ += value ? "#t\r\n" : "#f\r\n";
}

void RespWriter::verbatim(std::string_view text) {
  if (!resp3()) return bulk(text);
  header('=', text.size() + 4);
  out_ += "txt:";
  out_ += text;
  out_ += "\r\n";
}

}  // namespace slotd
