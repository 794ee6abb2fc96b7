// SPDX-License-Identifier: MIT
// Reads a table and prints what that took, as JSON: bench/tables drives it.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>

#include "hqe/base/error.h"
#include "hqe/formats/open_pool.h"

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "read_table FILE.csv: a table with the columns id and y\n");
    return 2;
  }
  try {
    const auto start = std::chrono::steady_clock::now();
    const hqe::Pool pool =
        hqe::open_pool({.files = {words[1]}, .columns = {.label = "y", .id = "id"}});
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    fmt::print("{{\"wall\":{},\"cpu\":{},\"peak_mb\":{},\"models\":{},\"samples\":{}}}\n",
               wall.count(), seconds(usage.ru_utime) + seconds(usage.ru_stime),
               usage.ru_maxrss / 1024, pool.model_count(), pool.sample_count);
  } catch (const hqe::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  return 0;
}
