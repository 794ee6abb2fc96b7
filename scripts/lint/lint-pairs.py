#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A header is implemented by the source of its name, or by sources that it names, and these include it. Of each function
that it declares outside its classes one of that name is defined there. A source that includes nothing of ours implements somebody
else's header. Every source stands in its module's list."""

import re
from pathlib import Path

from lint import ROOT, finish, sources, text
from modules import INCLUDE, module_of, modules

COMMENT = re.compile(r"//[^\n]*")
SOURCE = re.compile(r"(?<![\w-])[\w-]+\.cpp")
# Neither a member nor a template.
DECLARED = re.compile(r"(?<!>\n)^(?:\[\[nodiscard\]\] )?(?!using|static_assert|return|template|inline|constexpr)[A-Za-z][^\n{};=()]*?[ *&](\w+)"
                      r"\((?:[^{};]|\{\})*?\)(?: noexcept)?;", re.MULTILINE)


def undefined(header):
    """The functions that a header declares and no source of its defines, and where they were looked for."""
    folder, promised = Path(header).parent, text(header)
    names = [f"{Path(header).stem}.cpp", *SOURCE.findall(promised)]
    places = [name for name in dict.fromkeys(names) if (ROOT / folder / name).is_file()]
    code = "\n".join(text(folder / name) for name in places)
    declared = dict.fromkeys(DECLARED.findall(COMMENT.sub("", promised)))
    return [name for name in declared if not re.search(rf"^[^\s#/}}].*\b{name}\(", code, re.MULTILINE)], places


def main():
    problems = []
    known = modules()
    all_headers = sources("src/hqe/*/*.h")
    for header in all_headers:
        functions, places = undefined(header)
        if functions:
            problems.append(f"{header}: declares {', '.join(functions)}, not defined in {' or '.join(places) or 'a source that it names'}")
    for path in sources("src/hqe/*/*.cpp"):
        module, name = module_of(path), Path(path).name
        listed = known[module]["TESTS" if name.endswith("_test.cpp") else "SOURCES"]
        if name not in listed:
            problems.append(f"{path}: is not in its module's CMakeLists.txt")
        if name.endswith("_test.cpp"):
            continue
        source = text(path)
        if not INCLUDE.search(source):
            continue
        folder = f"src/hqe/{module}"
        own = f"{folder}/{name[:-4]}.h"
        headers = [own] if (ROOT / own).is_file() else [
            header for header in all_headers if module_of(header) == module and name in SOURCE.findall(text(header))]
        if not headers:
            problems.append(f"{path}: no header has its name or names it as its implementation")
            continue
        if not {f"src/hqe/{module}/{header}" for module, header in INCLUDE.findall(source)} & set(headers):
            problems.append(f"{path}: does not include {' or '.join(headers)}, which it implements")
    finish(problems)


main()
