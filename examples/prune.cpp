// SPDX-License-Identifier: MIT
#include <hqe/hqe.h>

#include <exception>
#include <iostream>

int main(int argc, char** argv) try {
  const hqe::Pool pool = hqe::open_pool({.folder = argc > 1 ? argv[1] : "."});
  const hqe::Study study = hqe::prune(pool, {.size = 3, .beta = {0.10}});
  std::cout << "all " << pool.model_count() << " models: " << study.reference.correct << " of "
            << pool.sample_count << " right\n";
  if (study.recommended)
    std::cout << "team " << hqe::to_string(study.recommended->figures.team.view()) << ": "
              << study.recommended->figures.correct << " right\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
