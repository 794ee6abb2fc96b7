// SPDX-License-Identifier: MIT
#include "hqe/base/message.h"

#include <doctest/doctest.h>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"

namespace hqe {
namespace {

/// Unlike any face, so that nothing else could have written it.
const Spelling in_brackets{
    .option =
        [](const OptionName& option) {
          return "[" + option.name + (option.value ? ":" + *option.value : "") + "]";
        },
    .command =
        [](const CommandName& command) {
          return "<" + command.name + (command.is_saved ? " saved" : "") +
                 (command.with_option ? " " + *command.with_option : "") + ">";
        }};

TEST_CASE("a message is plain words, and each face spells its options") {
  const Message text =
      message("{} teams, more than {}. Use {} or raise {}", 12, option("max_candidates", 10),
              option("size", "auto"), option("max_candidates"));
  CHECK(text.text() ==
        "12 teams, more than max_candidates 10. Use the option size auto or raise the option "
        "max_candidates");
  CHECK(text.text(in_brackets) ==
        "12 teams, more than [max_candidates:10]. Use [size:auto] or raise [max_candidates]");
}

TEST_CASE("plain words have no equals sign, show an empty value and begin a sentence") {
  CHECK(option("budget", "params=1e8").text() == "the option budget params 1e8");
  CHECK(option("keep", "").text() == "the option keep ''");
  CHECK(option("beta", -0.5).text() == "beta -0.5");
  CHECK(message("One. {} and {}", option("folds", 5), option("seed")).text() ==
        "One. Folds 5 and the option seed");
}

TEST_CASE("a message names commands, and each face spells them") {
  const Message text = message("{} or {} names {}", command("inspect"),
                               saved_by("front", "cascade"), option("keep"));
  CHECK(text.text() == "inspect or front with the option cascade names the option keep");
  CHECK(text.text(in_brackets) == "<inspect> or <front saved cascade> names [keep]");
  CHECK(text.text({.option = in_brackets.option}) ==
        "inspect or front with the option cascade names [keep]");
  CHECK(message("Gone. {} it", saved_by("prune")).text() == "Gone. Prune it");
}

TEST_CASE("a name that looks like an option, or like its place, stays what it is") {
  const std::string stranger = "the option keep {} keep 50";
  const Message text = message("{}: {} has {}", stranger, option("keep", 50), stranger);
  CHECK(text.text() == stranger + ": keep 50 has " + stranger);
  CHECK(text.text(in_brackets) == stranger + ": [keep:50] has " + stranger);
}

TEST_CASE("messages are put together, once and again, in any order of arguments") {
  Message text = message("{1} before {0}, {1} again", option("beta"), option("size", 3));
  text += text;
  CHECK(text.text(in_brackets) ==
        "[size:3] before [beta], [size:3] again[size:3] before [beta], [size:3] again");
  const Message outer = message("({:>3}{})", 7, text + "!");
  CHECK(outer.text(in_brackets) == "(  7" + text.text(in_brackets) + "!)");
}

TEST_CASE("the pieces of a message are the message again") {
  const Message text = message("First. {1} before {0}, {1}: {2}, {3}", option("beta"),
                               option("size", 3), command("inspect"), saved_by("front", "cascade"));
  Message again;
  for (const Message::Piece& piece : text.pieces()) {
    CHECK_FALSE(piece.text.empty());
    const auto name = [](const auto& named) { return Message(named); };
    again += piece.named ? std::visit(name, *piece.named) : Message(piece.text);
  }
  CHECK(again == text);
  CHECK(text.pieces().size() == 10);
  CHECK(Message().pieces().empty());
}

TEST_CASE("an error says what it has to say in plain words, and can be spelled") {
  const UsageError wrong(message("raise {}", option("keep")));
  CHECK(std::string(wrong.what()) == "raise the option keep");
  CHECK(wrong.message().text(in_brackets) == "raise [keep]");
  const InputError missing("a b.npy", "", "no labels", message("Give {}", option("labels")));
  CHECK(std::string(missing.what()) == "a b.npy: no labels. Give the option labels");
  CHECK(missing.message().text(in_brackets) == "a b.npy: no labels. Give [labels]");
  CHECK(missing.advice().text(in_brackets) == "Give [labels]");
}

}  // namespace
}  // namespace hqe
