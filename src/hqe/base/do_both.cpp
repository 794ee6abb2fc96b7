// SPDX-License-Identifier: MIT
#include "hqe/base/do_both.h"

#include <atomic>
#include <exception>
#include <system_error>
#include <thread>

#include "hqe/base/error.h"

namespace hqe {
namespace {

/// Leaves `thread` as it is where the system has no more threads.
template <typename Work>
void start(std::jthread& thread, const Work& work) {
  try {
    thread = std::jthread(work);
  } catch (const std::system_error&) {
    return;
  }
}

}  // namespace

void do_both(const Run& run, const std::function<void(const Run&)>& first,
             const std::function<void(const Run&)>& second) {
  std::atomic<bool> stop{false};
  std::exception_ptr error;
  const Run quiet{.threads = run.thread_count(), .on_progress = [&](const Progress&) {
                    if (stop.load(std::memory_order_relaxed)) throw Cancelled("");
                  }};
  const auto beside = [&] {
    try {
      second(quiet);
    } catch (...) {
      error = std::current_exception();
    }
  };
  std::jthread other;
  if (run.thread_count() > 1) start(other, beside);
  try {
    first(run);
  } catch (...) {
    stop = true;
    throw;
  }
  if (!other.joinable()) return second(run);
  other.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace hqe
