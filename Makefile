# SPDX-License-Identifier: MIT
# `make` explains. Everything that is built lands in build/.
.DEFAULT_GOAL := help
.PHONY: help demo build dist results test check cleanroom soak bench format lint tidy unit tsan fuzz cli headers install instructions python web arm64
.NOTPARALLEL:

# Paths below this folder are relative to ccache: a wheel's build finds what `make demo` compiled.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
# What a file includes is asked of the compiler, not of a run before it.
export CCACHE_DEPEND := 1
# Or it would keep nothing that uses a precompiled header: that of the tests, which no macro of one test changes.
export CCACHE_SLOPPINESS := pch_defines,time_macros

# Looked for by the shell: scripts/setup may have brought ccache a line before.
CONFIGURE := cmake $$(command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
POOL := examples/fashion-mnist

help:
	@echo 'make demo     prune the shipped pool of fourteen Fashion-MNIST classifiers'
	@echo 'make build    the release binary, at build/hqe'
	@echo 'make test     everything that must hold: about twenty minutes on two cores'
	@echo 'make check    format, lints, most tests of the release build and of the command: a minute, before a commit'
	@echo 'make dist     what people install, in dist/: wheels, .deb, static commands for x86-64 and ARM64'
	@echo 'make cleanroom  make demo and make test in a minimal Debian 12; what make dist makes, used where nothing else is (root)'
	@echo 'make soak     what takes longer: ten minutes of each fuzzer, a thousand kills, pinned numbers computed again, the demo pool trained again, a table of 10 GB'
	@echo 'make bench    how fast it is: about 5 minutes, up to 5 GB under build/'
	@echo 'make results  the tables of the paper beside ours, and a tournament of methods'
	@echo 'make format   clang-format over our sources'
	@echo
	@echo 'Pieces of make test: make lint, tidy, unit, tsan, fuzz, cli, headers, install, instructions, python, web, arm64.'
	@echo 'Each installs what it needs first (scripts/setup), and only what is missing.'

build:
	@scripts/setup build
	@$(CONFIGURE) --preset release -DHQE_BUILD_TESTS=OFF >/dev/null
	@cmake --build --preset release
	@ln -sfn release/cli/hqe build/hqe

demo: build
	build/hqe prune $(POOL)/validation --test $(POOL)/test --report build/demo.html

dist:
	@scripts/setup dist
	@scripts/dist

results: build
	@scripts/results

# What only later steps need is installed while the first compiles.
test:
	@scripts/setup unit
	@scripts/test --setup

check:
	@scripts/setup unit
	@scripts/test --setup check

lint tidy unit tsan fuzz cli headers install instructions python web arm64:
	@scripts/setup test
	@scripts/test $@

cleanroom:
	@scripts/setup dist cleanroom
	@scripts/cleanroom
	@scripts/dist
	@scripts/dist check

soak:
	@scripts/setup test bench autogluon demo-training dist cleanroom
	@scripts/test --soak

bench:
	@scripts/setup bench
	@scripts/test bench

format:
	@scripts/setup test
	@git ls-files '*.h' '*.cpp' | xargs clang-format-19 -i
