#pragma once

namespace slotd {

// What slotctl's exit says; part of its manual. Append only.
enum class ExitCode : int {
  Done = 0,
  Failed = 1,        // something went wrong that nothing below names
  Refused = 2,       // wrong usage, or a change that would do harm; nothing was changed
  Partial = 3,       // stopped half way; the message says how to go on
  Unreachable = 4,   // no node, or a needed node, answers
  ProblemsFound = 5  // check or verify looked, and not all is well
};

}  // namespace slotd
