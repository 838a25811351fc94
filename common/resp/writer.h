#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slotd {

enum class RespVersion : uint8_t { Resp2 = 2, Resp3 = 3 };

// Appends replies to a buffer in the version of the protocol that the client chose. Headers (array,
// map, set) are followed by as many elements as they announce; that is the caller's to keep.
class RespWriter {
 public:
  RespWriter(std::string& out, RespVersion version) : out_(out), version_(version) {}

  RespVersion version() const { return version_; }
  // From the next reply on; HELLO answers in the version that it switches to.
  void set_version(RespVersion version) { version_ = version; }
  bool resp3() const { return version_ == RespVersion::Resp3; }

  void ok() { out_ += "+OK\r\n"; }
  void simple(std::string_view text);
  // `text` begins with the code, "ERR …"; line ends in it become blanks.
  void error(std::string_view text);
  void integer(int64_t value);
  void bulk(std::string_view bytes);
  void null();        // "$-1" or "_"
  void null_array();  // "*-1" or "_"
  void array(size_t count) { header('*', count); }
  // `pairs` keys with their values; RESP2: a flat array of twice as many.
  void map(size_t pairs);
  void set(size_t count) { header(resp3() ? '~' : '*', count); }
  void push(size_t count) { header(resp3() ? '>' : '*', count); }
  // RESP2: a bulk string.
  void real(double value);
  // RESP2: 1 or 0.
  void boolean(bool value);
  // Text that people read; RESP2: a bulk string.
  void verbatim(std::string_view text);
  // A whole reply that was written before, in the same version.
  void raw(std::string_view reply) { out_ += reply; }

 private:
  void header(char tag, size_t count);

  std::string& out_;
  RespVersion version_;
};

// A request: an array of bulk strings, as clients send it.
template <typename Arguments>
void append_request(std::string& out, const Arguments& arguments) {
  RespWriter writer(out, RespVersion::Resp2);
  writer.array(arguments.size());
  for (const auto& argument : arguments) writer.bulk(argument);
}

}  // namespace slotd
