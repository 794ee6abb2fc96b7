// SPDX-License-Identifier: MIT
/// How a piece of work is to be run: on how many threads, and who wants to hear of its progress.
/// Nothing here ever changes a result.

#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace hqe {

struct Progress {
  std::string_view stage;  ///< What is going on, e.g. "reading predictions".
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

struct Run {
  /// Worker threads; 0 = one a hardware thread. Results do not depend on it.
  int threads = 0;

  /// Called now and then, always on the thread that called the library. It may throw to cancel the
  /// work; the exception passes through to the caller once the workers have stopped.
  std::function<void(const Progress&)> on_progress;

  /// The number of threads to use: at least 1, at most 64 or one a hardware thread.
  [[nodiscard]] int thread_count() const;
};

/// Calls `body(begin, end, worker)` for the consecutive ranges of at most `grain` items that cover
/// [0, count). Ranges run in any order, `worker` is below `run.thread_count()`, and one worker runs
/// one range at a time, so a worker may own state. The caller's thread is worker 0 and reports
/// progress of `stage` between its ranges. The first exception stops the work and is rethrown.
/// Where the system refuses a thread, the others do its work. Requires: grain > 0.
void parallel_for(
    const Run& run, std::string_view stage, std::uint64_t count, std::uint64_t grain,
    const std::function<void(std::uint64_t begin, std::uint64_t end, int worker)>& body);

}  // namespace hqe
