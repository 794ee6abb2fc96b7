// SPDX-License-Identifier: MIT
#include "hqe/base/run.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace hqe {
namespace {

/// More threads than cores only wait for each other, and each costs memory. Up to here they may.
constexpr int most_waiting_threads = 64;

/// Asked for once: the answer is read from a file.
int core_count() {
  static const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return count;
}

/// False where the system has no more threads: those that started take every range.
template <typename Work>
bool start(std::vector<std::jthread>& threads, const Work& work, int worker) {
  try {
    threads.emplace_back(work, worker);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

int Run::thread_count() const {
  if (threads <= 0) return core_count();
  return std::min(threads, std::max(core_count(), most_waiting_threads));
}

void parallel_for(const Run& run, std::string_view stage, std::uint64_t count, std::uint64_t grain,
                  const std::function<void(std::uint64_t, std::uint64_t, int)>& body) {
  assert(grain > 0);
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> stop{false};
  std::mutex error_mutex;
  std::exception_ptr error;

  const auto work = [&](int worker) {
    try {
      while (!stop.load(std::memory_order_relaxed)) {
        const std::uint64_t begin = next.fetch_add(grain);
        if (begin >= count) return;
        const std::uint64_t end = std::min(count, begin + grain);
        body(begin, end, worker);
        done.fetch_add(end - begin);
        if (worker == 0 && run.on_progress) run.on_progress({stage, done.load(), count});
      }
    } catch (...) {
      stop = true;
      const std::scoped_lock lock(error_mutex);
      if (!error) error = std::current_exception();
    }
  };

  // More threads than ranges would only be started to find nothing to do.
  const std::uint64_t ranges = (count + grain - 1) / grain;
  const int threads = static_cast<int>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(run.thread_count()), ranges));
  {
    std::vector<std::jthread> others;
    for (int worker = 1; worker < threads; ++worker) {
      if (!start(others, work, worker)) break;
    }
    work(0);
  }
  if (error) std::rethrow_exception(error);
  if (run.on_progress && count > 0) run.on_progress({stage, count, count});
}

}  // namespace hqe
