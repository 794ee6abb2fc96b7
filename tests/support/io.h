// SPDX-License-Identifier: MIT
/// What tests of readers need: bytes, files, refusals.

#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/files/mapped_file.h"
#include "hqe/predictions/array.h"

namespace hqe::testing {

/// A copy of the bytes, called "test" in messages.
inline FileBytes bytes_of(std::string_view text) {
  auto kept = std::make_shared<std::vector<std::byte>>(
      reinterpret_cast<const std::byte*>(text.data()),
      reinterpret_cast<const std::byte*>(text.data()) + text.size());
  const std::span<const std::byte> view = *kept;
  return {"test", view, std::move(kept)};
}

/// The numbers of an array, row by row.
inline std::vector<std::vector<double>> rows_of(const Array& array) {
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(array.rows()));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row].resize(static_cast<std::size_t>(array.columns()));
    read_row(array, static_cast<std::int64_t>(row), rows[row]);
  }
  return rows;
}

/// The message of the InputError or OutputError that `action` throws.
template <typename Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  } catch (const OutputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

/// The bytes of a file.
inline std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// An empty folder that vanishes with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "hqe-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace hqe::testing
