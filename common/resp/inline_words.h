#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slotd {

// Splits a typed line into words as redis-cli and Redis' inline commands do: blanks separate, "…"
// with \n \r \t \b \a \xHH escapes and '…' with \' quote. The unquoted words go behind one another
// into `bytes`, their lengths into `lengths`. False when a quote does not close or text touches its
// end.
[[nodiscard]] bool split_inline_words(std::string_view line, std::string& bytes,
                                      std::vector<size_t>& lengths);

}  // namespace slotd
