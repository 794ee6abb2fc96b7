// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "cli/commands/commands.h"
#include "cli/session.h"
#include "hqe/base/error.h"

namespace hqe::cli {

namespace {

struct Shell {
  const char* name;
  const char* script;
};

// Each asks `hqe complete` for words, and where there are none offers files.
constexpr std::array<Shell, 3> shells{{
    {"bash", R"(# bash completion for hqe
_hqe() {
  local word about quoted
  COMPREPLY=()
  while IFS=$'\t' read -r word about; do
    printf -v quoted %q "$word"
    COMPREPLY+=("${quoted//\\,/,}")
  done < <(hqe complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _hqe hqe
)"},
    {"zsh", R"(#compdef hqe
_hqe() {
  local -a found
  local word about
  while IFS=$'\t' read -r word about; do
    found+=("${word//:/\\:}:$about")
  done < <(hqe complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then
    _describe hqe found
  else
    _files
  fi
}
if [[ $funcstack[1] == _hqe ]]; then
  _hqe "$@"
else
  compdef _hqe hqe
fi
)"},
    {"fish", R"(# fish completion for hqe
function __hqe_words
  set -l typed (commandline -opc)
  set -l found (hqe complete $typed[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c hqe -f -a '(__hqe_words)'
)"},
}};

}  // namespace

Command completion_command() {
  const auto chosen = std::make_shared<const Shell*>(nullptr);
  Command command{
      .name = "completion",
      .summary = "a script by which a shell completes hqe's words",
      .arguments = "bash|zsh|fish",
      .about =
          "Commands, options, what options may be, and the names of models in the pool "
          "that is named. `eval \"$(hqe completion bash)\"` in ~/.bashrc does for bash, "
          "and `hqe completion fish | source` in config.fish for fish; for zsh it goes "
          "to a file _hqe in a folder of $fpath.",
      .examples = {"hqe completion bash > hqe.bash", "hqe completion zsh > _hqe"}};
  for (const Shell& shell : shells) command.words.emplace_back(shell.name);
  command.take_words = [chosen](const std::vector<std::string>& words) {
    const auto* const found =
        words.size() == 1 ? std::ranges::find(shells, words.front(), &Shell::name) : shells.end();
    if (found == shells.end()) throw UsageError("completion: which shell? One of bash, zsh, fish.");
    *chosen = found;
  };
  command.run = [chosen](Session&) {
    Session::print((*chosen)->script);
    return 0;
  };
  return command;
}

}  // namespace hqe::cli
