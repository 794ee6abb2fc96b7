// SPDX-License-Identifier: MIT
/// The family of exceptions that hqe throws. Each message is for people: it says what was found,
/// where, and what to do next. what() names options in plain words; message() lets whoever shows it
/// spell them.

#pragma once

#include <stdexcept>
#include <string>

#include "hqe/base/message.h"

namespace hqe {

/// Base of everything that hqe throws on purpose.
class Error : public std::runtime_error {
 public:
  Error(Message message);

  [[nodiscard]] const Message& message() const { return message_; }

 private:
  Message message_;
};

/// The caller asked for something that cannot be done: an option out of range, a vote that the
/// pool's kind does not allow, a request too large. The command exits with 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A file, or an array handed over in its place, is not what it should be. The command exits
/// with 3.
class InputError : public Error {
 public:
  /// The message is "`file`: `place`: `reason`. `advice`"; an empty part is left out.
  InputError(std::string file, std::string place, Message reason, Message advice);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] const Message& reason() const { return reason_; }
  [[nodiscard]] const Message& advice() const { return advice_; }

 private:
  std::string file_, place_;
  Message reason_, advice_;
};

/// A result could not be written: to a file, or to standard output. What was there before is
/// untouched. The command exits with 1.
class OutputError : public Error {
 public:
  /// The message is "`file`: `reason`. `advice`"; an empty part is left out.
  OutputError(std::string file, Message reason, Message advice);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const Message& reason() const { return reason_; }
  [[nodiscard]] const Message& advice() const { return advice_; }

 private:
  std::string file_;
  Message reason_, advice_;
};

/// The user interrupted the work.
class Cancelled : public Error {
 public:
  using Error::Error;
};

}  // namespace hqe
