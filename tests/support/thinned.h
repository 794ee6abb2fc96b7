// SPDX-License-Identifier: MIT
/// Fewer cases where each takes ten times as long.

#pragma once

namespace hqe::testing {

/// Every case is due, but with sanitizers, which look at memory and not at answers, and where
/// `make test` emulates another processor, one in `stride`. A prime keeps cases that were left out
/// from being all of one kind.
class Thinned {
 public:
  explicit Thinned([[maybe_unused]] int stride)
#ifdef HQE_FEWER_CASES
      : stride_(stride)
#endif
  {
  }

  /// Asked once a case.
  [[nodiscard]] bool leaves_out() { return number_++ % stride_ != 0; }
  [[nodiscard]] bool leaves_none_out() const { return stride_ == 1; }

 private:
  int stride_ = 1;
  int number_ = 0;
};

}  // namespace hqe::testing
