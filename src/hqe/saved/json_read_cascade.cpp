// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <array>
#include <utility>

#include "hqe/saved/json_read_parts.h"
#include "hqe/saved/saved.h"
#include "hqe/saved/saved_kinds.h"
#include "hqe/serving/cascade.h"
#include "hqe/serving/early_exit.h"

namespace hqe {
namespace {

/// Reads the parts of a cascade's document one after the other; later ones are checked against
/// earlier ones.
class CascadeReader {
 public:
  explicit CascadeReader(const Entry& document) : document_(document) {}

  Cascading read() {
    read_head();
    read_front();
    for (const Entry row : document_.at("rows").list()) read_row(row);
    if (front().rows.empty()) document_.at("rows").refuse("holds no rule, not even the exact exit");
    result_.warnings = read_messages(document_.at("warnings"));
    return std::move(result_);
  }

 private:
  CascadeFront& front() { return result_.front; }
  [[nodiscard]] int members() const { return result_.figures.team.size(); }

  void read_head() {
    result_.pool = read_pool(document_.at("pool"));
    const Entry options = document_.at("options");
    result_.options = {.vote = read_vote_options(options), .seed = options.at("seed").seed()};
    result_.vote = document_.at("vote").word(parse_vote);
    result_.figures.team = read_team(document_.at("team"), result_.pool);
    result_.figures.correct = document_.at("correct").count(sample_limit(result_.pool));
    result_.is_recommended = document_.at("is_recommended").truth();
  }

  void read_front() {
    front().order = read_order(document_.at("order"), result_.figures.team);
    front().cost =
        maybe(document_, "cost", [](const Entry& cost) { return cost.word(parse_cost); });
    front().full_cost = document_.at("full_cost").not_negative();
    if (front().full_cost == 0) document_.at("full_cost").refuse_value("saves nothing");
    front().judged_by = maybe(document_, "judged_by",
                              [](const Entry& judge) { return judge.word(parse_exit_judge); });
    result_.test = maybe(document_, "test", [](const Entry& name) { return name.text(); });
    if (result_.test.has_value() != (front().judged_by == ExitJudge::test)) {
      document_.refuse("\"test\" must name a pool where \"judged_by\" is \"test\", and only then");
    }
  }

  [[nodiscard]] StopRule read_stop(const Entry& entry) const {
    StopRule stop{.kind = entry.at("rule").word(parse_stop_kind)};
    const bool comes_first = result_.front.rows.empty();
    if ((stop.kind == StopKind::exact) != comes_first) {
      entry.at("rule").refuse_value(comes_first ? "stands where the exact exit is due"
                                                : "occurs twice");
    }
    if (stop.kind == StopKind::agreement) {
      stop.agreeing = entry.at("agreeing").whole(1, members());
    } else if (stop.kind == StopKind::confidence) {
      stop.confidence = entry.at("confidence").share();
    }
    return stop;
  }

  [[nodiscard]] CascadeRun read_run(const Entry& entry, const Limit& samples,
                                    const StopRule& stop) const {
    CascadeRun run{.samples = entry.at("samples").count(samples)};
    if (run.samples == 0) entry.at("samples").refuse_value("samples tell nothing");
    const Limit own{run.samples, "the row's", "samples"};
    run.correct = entry.at("correct").count(own);
    run.changed = entry.at("changed").count(own);
    if (stop.kind == StopKind::exact && run.changed != 0) {
      entry.at("changed").refuse_value("changed answers are not exact");
    }
    run.expected_models = entry.at("expected_models").number(1, members());
    run.expected_cost =
        entry.at("expected_cost").number(0, result_.front.full_cost * (1 + read_rounding));
    return run;
  }

  void read_row(const Entry& entry) {
    CascadeRow row{.stop = read_stop(entry), .selection = {}, .held_out = {}};
    row.selection = read_run(entry.at("selection"), sample_limit(result_.pool), row.stop);
    const Limit held_out = result_.test
                               ? Limit{max_sample_count, "the", "samples that a pool can have"}
                               : sample_limit(result_.pool);
    row.held_out = maybe(entry, "held_out",
                         [&](const Entry& run) { return read_run(run, held_out, row.stop); });
    if (row.held_out.has_value() != front().judged_by.has_value()) {
      entry.refuse("\"held_out\" must be there where \"judged_by\" says on what, and only then");
    }
    if (!front().rows.empty()) check_beside(entry, row);
    front().rows.push_back(row);
  }

  /// Rows are of the same samples, and after the exact exit stand dearest first.
  void check_beside(const Entry& entry, const CascadeRow& row) const {
    const CascadeRow& exact = result_.front.exact();
    const auto check = [&](std::string_view name, const CascadeRun& run, const CascadeRun& first) {
      if (run.samples == first.samples) return;
      entry.at(name).at("samples").refuse_value(
          fmt::format("are others than the {} of the exact exit", first.samples));
    };
    check("selection", row.selection, exact.selection);
    if (row.held_out) check("held_out", *row.held_out, *exact.held_out);
    const CascadeRow& before = result_.front.rows.back();
    if (before.stop.kind != StopKind::exact &&
        row.selection.expected_cost > before.selection.expected_cost) {
      entry.at("selection").at("expected_cost").refuse_value("is out of order: dearest first");
    }
  }

  Entry document_;
  Cascading result_;
};

}  // namespace

Cascading read_cascade(const Entry& document) { return CascadeReader(document).read(); }

Cascading cascade_from_json(std::string_view text, const std::string& file) {
  const SavedDocument document(text, file, std::array{saved_cascade});
  return read_cascade(Entry(document));
}

}  // namespace hqe
