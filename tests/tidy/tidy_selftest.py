#!/usr/bin/env python3
"""The checker must find each of these, and nothing in the good ones."""

import sys

import rules

LONG_FUNCTION = "void walk() {\n" + "  step();\n" * 70 + "}\n"
LONG_METHOD = ("class A {\n  void walk(int a,\n            int b) {\n" + "    step();\n" * 70 +
               "  }\n};\n")

BAD = (
    ("common/slot/a.cc", "x" * 101 + "\n", "101 columns"),
    ("common/slot/a.cc", "x\n" * 601, "601 lines"),
    ("common/slot/a.cc", LONG_FUNCTION, "a function of 72 lines"),
    ("common/slot/a.h", LONG_METHOD, "a function of 72 lines"),
    ("common/slot/a.cc", '#include "common/cluster/ids.h"\n', "may not include"),
    ("common/resp/a.cc", '#include "common/slot/slot.h"\n', "may not include"),
    ("common/cluster/a.cc", '#include "common/wire/codec.h"\n', "may not include"),
    ("daemon/bus/a.cc", '#include "cli/printer.h"\n', "may not include"),
    ("daemon/bus/a.cc", '#include "common/sim/sim_run.h"\n', "may not include"),
    ("cli/a.cc", '#include "daemon/config.h"\n', "may not include"),
    ("cli/a.cc", '#include "common/cluster/cluster_state.h"\n', "the view only"),
    ("common/node/a.cc", "#include <uv.h>\n", "daemon only"),
    ("common/wire/a.cc", "#include <roaring/roaring.h>\n", "common/slot only"),
    ("common/node/a.cc", '#include "bus.pb.h"\n', "common/wire only"),
    ("daemon/a.cc", "#include <hiredis/hiredis.h>\n", "cli only"),
    ("daemon/a.cc", "#include <CLI/CLI.hpp>\n", "cli and tests only"),
    ("common/slot/a.cc", "#include <catch2/catch.hpp>\n", "tests only"),
    ("daemon/a.cc", "#include <iostream>\n", "cli only"),
    ("daemon/a.cc", "  strcpy(a, b);\n", "banned call"),
    ("daemon/a.cc", "  std::sprintf(a, b);\n", "banned call"),
    ("daemon/a.cc", "  int x = rand();\n", "banned call"),
    ("daemon/a.cc", "  system(command);\n", "banned call"),
    ("daemon/a.cc", "  auto now = time(NULL);\n", "banned call"),
    ("tests/unit/a_test.cc", "  std::this_thread::sleep_for(1s);\n", "does not sleep"),
    ("tests/interop/a_test.py", "time." "sleep(1)\n", "does not sleep"),
    ("common/cluster/a.cc", "  auto now = std::chrono::steady_clock::now();\n", "from outside"),
    ("common/slot/a.cc", "#include <fstream>\n", "from outside"),
    ("common/node/a.cc", "#include <thread>\n", "from outside"),
    ("common/base/a.h", "  std::random_device device;\n", "from outside"),
    ("common/node/a.cc", "#include <sys/socket.h>\n", "from outside"),
    ("common/slot/slot_util.h", "\n", "names no subject"),
    ("daemon/link_manager.cc", "\n", "names no subject"),
    ("daemon/a.cc", "// TO" "DO: later\n", "open an issue"),
)

GOOD = (
    ("common/slot/a.cc", "x" * 100 + "\n"),
    ("common/slot/a.cc", "void walk() {\n" + "  step();\n" * 68 + "}\n"),
    ("common/slot/a.cc", "namespace a {\n" + "int b;\n" * 100 + "}\n"),
    ("common/slot/a.h", "class A {\n" + "  int b();\n" * 100 + "};\n"),
    ("common/slot/a.cc", '#include "common/base/bytes.h"\n#include <roaring/roaring.h>\n'),
    ("common/wire/a.cc", '#include "bus.pb.h"\n'),
    ("daemon/uv/a.cc", "#include <uv.h>\n"),
    ("cli/a.cc", '#include "common/cluster/cluster_view.h"\n#include <hiredis/hiredis.h>\n'),
    ("daemon/a.cc", "  operand(1);  // never strcpy(\n"),
    ("daemon/a.cc", '  reply("system(1)");\n'),
    ("daemon/a.cc", "  std::snprintf(a, b);\n"),
    ("daemon/uv/clock.cc", "  return steady_clock::now();\n"),
)


def main():
    wrong = []
    for path, text, expected in BAD:
        found = [what for _, what in rules.check(path, text)]
        if not any(expected in what for what in found):
            wrong.append(f"{path}: wanted '{expected}', found {found}")
    for path, text in GOOD:
        found = [what for _, what in rules.check(path, text)]
        if found:
            wrong.append(f"{path}: wanted nothing, found {found}")
    for line in wrong:
        print(line)
    print(f"{len(BAD) + len(GOOD)} snippets, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
