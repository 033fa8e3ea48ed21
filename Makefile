# Everyday commands; `make help` lists them.

SHELL := /bin/bash
JOBS ?= $(shell nproc)

# Configures a preset once; afterwards Ninja sees by itself when CMake must run again.
define build_preset
	@test -e build/$(1)/build.ninja || cmake --preset $(1)
	@cmake --build --preset $(1) -j $(JOBS) $(if $(2),--target $(2))
endef

.PHONY: help setup setup-dev build run test python conformance bench format lint lint-all asan tsan \
  clang clean
.DEFAULT_GOAL := help

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

setup: ## install what is missing: system packages, .venv
	@tools/setup

setup-dev: ## ... and what formatting, lint and the cross-checks need
	@tools/setup --dev

build: setup ## build the release preset; the program is build/ippatsu
	$(call build_preset,release)
	@ln -sfn release/bin/ippatsu build/ippatsu

run: build ## train NAGA on examples/records, compare with eager PyTorch, write build/run/report.html
	@build/ippatsu run $(ARGS)

test: build ## build and run every test; the last line counts them
	@tools/run_tests build/release

python: setup ## build the wheel's content and install it into .venv: import ippatsu
	@PIP_ROOT_USER_ACTION=ignore .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps \
	  --no-build-isolation --force-reinstall .
	@.venv/bin/python -c "import ippatsu; print('import ippatsu: version', ippatsu.__version__)"

conformance: build ## run torch's databases of operators, modules, optimizers; writes docs/operators.md
	@.venv/bin/python tests/conformance/run.py --json build/conformance.json \
	  --markdown docs/operators.md $(ARGS)

bench: build ## run every benchmark; JSON goes to build/bench
	@tools/run_benchmarks build/release build/bench

format: setup-dev ## rewrite every source file in the project's format
	@tools/lint --fix format

lint: setup-dev build ## check format, clang-tidy (layers without torch), Python, shell
	@tools/lint

lint-all: setup-dev build ## the same, with clang-tidy on every layer
	@tools/lint --all

asan: setup ## every test under the address and undefined-behaviour sanitizers
	$(call build_preset,asan)
	@tools/run_tests build/asan

TSAN_LAYERS := base pjrt trace data
tsan: setup ## the tests of the layers with threads of their own, under the thread sanitizer
	$(call build_preset,tsan,$(TSAN_LAYERS:%=%_tests))
	@tools/run_tests build/tsan --only $(TSAN_LAYERS)

clang: setup ## build with clang
	$(call build_preset,clang)

clean: ## remove everything that was built
	@rm -rf build
