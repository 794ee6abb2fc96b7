// SPDX-License-Identifier: MIT
#include "hqe/files/patient_write.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace hqe {
namespace {

// A signal ends poll() at once. Only one that comes between check() and poll(), or that another
// thread took, is noticed this much later: no mask or pipe to oneself would see both.
constexpr int milliseconds_between_checks = 50;

/// Whether a write will do something, if only fail, without waiting.
bool is_ready(int descriptor) {
  pollfd entry{.fd = descriptor, .events = POLLOUT, .revents = 0};
  const int ready = ::poll(&entry, 1, milliseconds_between_checks);
  return ready > 0 || (ready < 0 && errno != EINTR);
}

}  // namespace

int write_patiently(int descriptor, std::string_view bytes, const WriteCheck& check) {
  struct stat status{};
  const bool may_wait = ::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode);
  // A pipe that is ready takes PIPE_BUF bytes at once; with more a write would wait, deaf to
  // check(). Its description may be shared with others, so it is not ours to make non-blocking.
  const std::size_t most = may_wait ? PIPE_BUF : std::size_t{1} << 20;
  while (!bytes.empty()) {
    if (check) check();
    if (may_wait && !is_ready(descriptor)) continue;
    const ssize_t written = ::write(descriptor, bytes.data(), std::min(bytes.size(), most));
    if (written < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return errno;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int open_patiently(const char* path, bool is_pipe, const WriteCheck& check) {
  while (true) {
    // O_NONBLOCK: otherwise the call itself waits for a reader.
    const int descriptor = ::open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    const bool lacks_reader = descriptor < 0 && is_pipe && errno == ENXIO;
    if (!lacks_reader && (descriptor >= 0 || errno != EINTR)) return descriptor;
    if (check) check();
    ::poll(nullptr, 0, milliseconds_between_checks);
  }
}

}  // namespace hqe
