// SPDX-License-Identifier: MIT
/// An open file descriptor that closes itself, and the system's reasons in words.

#pragma once

#include <unistd.h>

#include <string>
#include <system_error>
#include <utility>

namespace hqe {

class Descriptor {
 public:
  explicit Descriptor(int descriptor = -1) : descriptor_(descriptor) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
  }

  [[nodiscard]] int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  void reset() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  int descriptor_;
};

/// "permission denied": an errno value in words, in lower case.
[[nodiscard]] inline std::string system_reason(int error_number) {
  std::string text = std::generic_category().message(error_number);
  if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z') {
    text.front() = static_cast<char>(text.front() - 'A' + 'a');
  }
  return text;
}

}  // namespace hqe
