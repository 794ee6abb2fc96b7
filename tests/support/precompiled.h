// SPDX-License-Identifier: MIT
/// What tests include of others' headers, read once a build (hqe_test() in cmake/HqeTargets.cmake).
/// No test includes this: each names what it uses, and compiles without it where sources are
/// compiled one by one.

#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
