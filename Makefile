# `make help` lists the targets. You need Python 3.11 or newer, make and a C++20 compiler. Everything else, including
# Node, is installed into .venv from PyPI (pinned in requirements/*.lock) and into web/node_modules from npm (pinned in
# web/package-lock.json).
#
# Set-up is incremental: the timestamps of .venv/.done-* and web/node_modules/.done record when each step last ran.
# Python edits need no step, since the package is installed in editable mode; edits to the pages trigger a build.

PYTHON ?= python3
FUZZ_SECONDS ?= 60
# One more worker than CPU cores, because tests spend time waiting for servers, clocks and pages.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
PYTEST_FLAGS ?= -n $(WORKERS)
E2E_FLAGS ?= -n $(WORKERS)
# Most of these tests start a server or a command. Run the ones for your part separately.
CHECK_IGNORED := $(addprefix --ignore=tests/,server bot cli simulation e2e)
CHECK_FLAGS ?= -n 2 --dist worksteal --quiet -m 'not slow and not proof and not matrix' $(CHECK_IGNORED)
# Continuous integration sets CI, which turns C++ compiler warnings into errors.
WERROR ?= $(if $(CI),ON,OFF)

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
NATIVE_BUILD := build/sanitize
native_passed := $(NATIVE_BUILD)/.passed

venv := .venv/.done-venv
package := .venv/.done-package
peers := .venv/.done-peers
research := .venv/.done-research
ray := .venv/.done-ray
train := .venv/.done-train
zig := .venv/.done-zig
audit := build/audit/.done
fonts := build/fonts/.done
release := build/release/.done
docs := .venv/.done-docs
node := web/node_modules/.done
types_of_api := web/src/lib/api.d.ts
art := web/board/src/art.svg
geometry := web/board/src/generated/geometry.ts
lessons := web/src/lib/generated/lessons.json
puzzles := web/src/lib/generated/puzzles/0.json
explorer := web/src/lib/generated/explorer/summary.json
icons := web/public/icons/icon.svg
generated := $(art) $(geometry) $(lessons) $(puzzles) $(explorer) $(icons)
pages := src/cairn/server/pages/index.html
board := web/board/dist/board.js
wasm := web/core/cairn.wasm
selfplay := build/selfplay/cairn_selfplay
library := build/library/libcairn.so
openings := build/openings/cairn_openings

# Lets npm and the tools that it runs find Node in .venv, and prints only errors.
NPM := PATH="$(abspath $(BIN)):$$PATH" npm --prefix web --silent

native_files := $(shell find native -name '*.cpp' -o -name '*.h' -o -name '*.py')
web_files := $(filter-out $(types_of_api) $(art) $(wasm) $(dir $(geometry))% $(dir $(lessons))% $(dir $(icons))% web/board/dist/%,$(shell find web \( -name node_modules -o -name .svelte-check \) -prune -o -type f -print))
cpp_files := $(filter %.cpp %.h,$(native_files)) $(wildcard bench/*.cpp native/tests/c/*.c)

# Ninja would try to use make's jobserver, and fail in recipes that do not inherit it.
unexport MAKEFLAGS
# The tests start hundreds of Python processes. Without cached bytecode, each one compiles the package again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play pages site board docs dist wasm selfplay library test setup static dynamic check check-python check-native check-web lint types native-test pytest \
	stubtest web-test e2e architecture screenshots format bench signature prove-short prove-rules prove-wins prove-claims prove-puzzles prove-openings \
	prove-levels prove-review prove-ray balance rehearse-training prove-kills prove-outage prove-online prove-sim prove-attacks prove-strength prove-network prove-web prove-looks \
	fuzz audit fonts hooks lock clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: ## Play in the browser: starts a server on this machine and opens the game
	@$(MAKE) --no-print-directory --jobs=2 $(package) $(pages)
	@$(BIN)/cairn serve --open

pages: ## Build the web pages
	@$(MAKE) --no-print-directory --jobs=2 $(pages)

site: pages ## Build a static site into build/site, for any web server: everything but play between two devices
	@$(BIN)/python tools/make_site.py
	@echo "The site is in build/site."

board: $(board) ## Build the board into web/board/dist, as a single script for other pages

docs: $(package) $(docs) $(icons) $(board) ## Build the documentation site into build/docs; a warning fails the build
	@$(BIN)/python tools/make_docs.py

dist: $(package) $(zig) $(release) pages ## Build the packages of a release into dist: the sdist and a wheel for Linux
	@$(BIN)/python tools/make_dist.py

wasm: ## Build the core as WebAssembly into web/core
	@$(MAKE) --no-print-directory --jobs=2 $(wasm)

selfplay: $(selfplay) ## Build the self-play program into build/selfplay

library: $(library) ## Build the library for C and other languages into build/library

# The static checks run alongside the tests at low priority and use the time that the tests spend waiting. The browser
# tests do not run beside the Python tests: some of them depend on what a page does within seconds.
test: ## Run everything that must pass before a commit
	@$(MAKE) --no-print-directory --jobs=2 setup
	@$(MAKE) --no-print-directory --jobs=2 static dynamic

setup: $(package) $(research) $(node) $(types_of_api) $(generated) $(pages) $(board)

dynamic:
	@$(MAKE) --no-print-directory pytest
	@$(MAKE) --no-print-directory e2e

static:
	@nice $(MAKE) --no-print-directory --output-sync=target native-test types lint web-test stubtest signature

# docs/testing.md explains what belongs in this target, and why.
check: $(package) $(research) $(node) $(types_of_api) $(generated) ## Run the fast checks: under a minute on two cores
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-web check-python

check-python:
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --quiet --check
	$(BIN)/mypy
	$(if $(wildcard $(native_passed)),$(MAKE) --no-print-directory check-native)
	$(BIN)/pytest $(CHECK_FLAGS)

# Runs the C++ tests only if their program has changed since they passed.
check-native:
	@$(BIN)/cmake --build $(NATIVE_BUILD)
	@[ $(native_passed) -nt $(NATIVE_BUILD)/cairn_native_tests ] || $(MAKE) --no-print-directory native-test

check-web:
	$(NPM) run check-changes

lint: $(venv) $(node) ## Check style and format: Python, C++, web
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --quiet --check
	$(if $(cpp_files),$(BIN)/clang-format --dry-run --Werror $(cpp_files))
	$(NPM) run lint

types: $(venv) $(node) $(types_of_api) $(generated) ## Check the types of all Python and web code
	$(BIN)/mypy
	$(NPM) run check

native-test: $(NATIVE_BUILD)/build.ninja ## Test the C++ core under address and undefined-behaviour sanitizers
	$(BIN)/cmake --build $(NATIVE_BUILD)
	$(NATIVE_BUILD)/cairn_native_tests
	$(NATIVE_BUILD)/cairn_c_test
	@touch $(native_passed)

pytest: $(package) $(research) ## Run the Python tests and all doctests
	$(BIN)/pytest $(PYTEST_FLAGS) --dist worksteal -m 'not proof' --ignore=tests/e2e

stubtest: $(package) ## Compare the native module with its stub
	MYPYPATH=src $(BIN)/stubtest --mypy-config-file pyproject.toml --ignore-disjoint-bases \
		--allowlist tools/stubtest_allowlist.txt cairn._core

web-test: $(node) $(generated) $(pages) ## Test the pages: components, messages in all languages, script size
	$(NPM) test
	$(BIN)/python tools/check_size.py

e2e: $(package) $(pages) $(board) ## Test the game in a real Chromium, if one is installed
	$(BIN)/pytest $(E2E_FLAGS) --dist worksteal -m 'not proof and not matrix' tests/e2e

architecture: $(venv) ## Draw the diagram of the server's imports for docs/architecture.md
	$(BIN)/python tools/draw_architecture.py

screenshots: $(package) $(pages) ## Take screenshots of all pages into build/screenshots
	$(BIN)/python -m tests.e2e.screenshots

format: $(venv) $(node) ## Format all code in place
	$(BIN)/ruff check --quiet --fix-only
	$(BIN)/ruff format --quiet
	$(if $(cpp_files),$(BIN)/clang-format -i $(cpp_files))
	$(NPM) run format

bench: $(package) $(peers) ## Compare the speed with other libraries
	$(BIN)/python bench/run.py

signature: $(package) ## Print the bench signature; fails if it differs from the recorded one
	$(BIN)/python bench/signature.py --check

prove-short: $(package) $(research) $(pages) $(board) docs $(release) ## Run the tests that take too long for `make test`: short proofs, offline use, every page in every language
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m proof tests

prove-rules: $(package) ## Compare both implementations of the rules: all vectors, a million random moments
	$(BIN)/python tools/prove_rules.py

prove-wins: $(package) ## Solve every mined position, with the solver and with the main search
	$(BIN)/python tools/mine_wins.py --check

prove-puzzles: $(package) ## Prove every puzzle a second time, with plain searches of the core and of the rulebook
	$(BIN)/python tools/prove_puzzles.py

prove-openings: $(package) $(openings) ## Solve the race to the first megalith from every beginner start (about an hour; resumable)
	$(BIN)/python tools/prove_openings.py $(OPENINGS_FLAGS)

prove-claims: $(package) ## Check every win that the search claims within three turns on 100,000 random moments (resumable)
	$(BIN)/python tools/prove_claims.py

prove-strength: $(package) $(peers) ## Measure the strength of the search: matches and timings, about an hour
	$(BIN)/python tools/prove_strength.py

prove-network: $(package) ## Play the version without the network: strength, speed, two threads (hours; resumable)
	$(BIN)/python tools/prove_network.py --parts a,b,c,d,e
	$(BIN)/python tools/prove_network.py

prove-levels: $(package) ## Play the levels against their neighbours: one Elo scale from 2,000 games (hours; resumable)
	$(BIN)/python tools/prove_levels.py

prove-review: $(package) ## Review 1,000 games: sums, luck, claims, retries (about an hour; resumable)
	$(BIN)/python tools/prove_review.py

prove-ray: $(package) $(ray) ## Run the arena, self-play and the mining of puzzles on a Ray cluster on this machine
	$(BIN)/pytest tests/arena/test_ray.py tests/puzzles tests/training -k ray

balance: $(package) $(research) ## Play 120,000 games and write the balance report into build/balance (about an hour; resumable)
	$(BIN)/cairn report build/balance

rehearse-training: $(package) $(train) ## Train two tiny generations, to test the training pipeline; needs PyTorch
	$(BIN)/pytest tests/training tests/test_example_programs.py

prove-kills: $(package) ## Kill the server repeatedly during play: nothing acknowledged may be lost
	$(BIN)/python tools/prove_kills.py

prove-outage: $(package) ## Restart PostgreSQL while 500 clocks run: each must be correct to within a second
	$(BIN)/python tools/prove_outage.py

prove-sim: $(package) ## Simulate 100,000 seeds with hostile players and faults (hours; resumable)
	$(BIN)/python tools/prove_sim.py

prove-online: $(package) ## Test online play: load, races, disconnects, malformed input, kills; over an hour, resumable
	$(BIN)/python tools/prove_online.py

prove-attacks: $(package) ## Attack a server in many ways while others play on it; play must hardly slow down
	$(BIN)/python tools/prove_attacks.py

prove-web: $(package) $(pages) ## Test the game in Chromium: core, kills of the browser, frames, answers (hours; resumable)
	$(BIN)/python tools/prove_web.py

prove-looks: $(package) $(pages) ## Look at every page in six sizes, four languages and three themes (over half an hour)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m matrix tests/e2e
	$(BIN)/python -m tests.e2e.prove_looks

fuzz: $(package) ## Fuzz the rules, the parsers and the protocol for FUZZ_SECONDS (60)
	$(BIN)/python tools/fuzz.py --seconds $(FUZZ_SECONDS)

audit: $(venv) ## Check all dependencies for known vulnerabilities; reports what could not be checked
	@$(MAKE) --silent $(audit) || echo "pip-audit could not be installed." >&2
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python tools/audit.py build/audit/bin/pip-audit

fonts: $(fonts) ## Make the subsets of the fonts in web/fonts, from the originals on npm
	$(dir $(fonts))bin/python tools/make_fonts.py

hooks: $(venv) ## Install git hooks that check style before every commit
	$(BIN)/pre-commit install

lock: $(venv) ## Update the lock files to the newest versions
	$(call compile_lock,dev) --group dev --extra serve
	$(call compile_lock,research) --extra data --extra gymnasium --extra pettingzoo --extra openspiel --constraint requirements/dev.lock
	$(call compile_lock,bench) --group bench --constraint requirements/dev.lock --constraint requirements/research.lock
	$(call compile_lock,ray) --extra ray --constraint requirements/dev.lock
	$(call compile_lock,train) --extra train --constraint requirements/dev.lock
	$(call compile_lock,docs) --group docs --constraint requirements/dev.lock --constraint requirements/research.lock
	$(call compile_lock,audit) --group audit --constraint requirements/dev.lock
	$(call compile_lock,wasm) --group wasm --constraint requirements/dev.lock
	$(call compile_groups,fonts) --group fonts
	$(call compile_groups,release) --group release
	$(call compile_groups,uv) --group uv

compile_lock = $(call compile_groups,$(1)) pyproject.toml
compile_groups = $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command 'make lock' --output-file requirements/$(1).lock

clean: ## Remove all build output, including the virtual environment
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf web/node_modules web/.svelte-check $(types_of_api) $(art) $(dir $(geometry)) $(dir $(lessons)) $(dir $(icons)) $(dir $(board)) $(dir $(pages)) $(wasm)
	find src harness tests bench tools native -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# --- Set-up

# make sets a default CXX; use CXX only if it was set explicitly.
compilers := $(if $(filter default,$(origin CXX)),c++ g++ clang++,$(CXX))

define require_python
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo "Cairn needs Python 3.11 or newer; $(PYTHON) is too old. Use another: make PYTHON=python3.12 ..." >&2; \
	exit 1; }
endef

define require_compiler
@for compiler in $(compilers); do command -v $$compiler && exit; done >/dev/null; \
	echo "Cairn needs a C++20 compiler, such as g++ 11 or clang++ 14. Not found: $(compilers)." >&2; exit 1
endef

# uv installs in seconds what takes pip a minute. It does not read pip's configuration, so fall back to pip, whose
# configuration may name the only reachable index.
define install_lock
@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/$(1).lock || { \
	echo "uv could not install requirements/$(1).lock; trying pip ..." >&2; \
	$(PIP) install --require-hashes -r requirements/$(1).lock; }
endef

$(venv): requirements/dev.lock requirements/uv.lock
	$(require_python)
	@echo "Setting up .venv ..."
	@$(PYTHON) -m venv .venv
	@$(PIP) install --require-hashes -r requirements/uv.lock
	$(call install_lock,dev)
	@touch $@

$(package): $(venv) $(filter-out native/tests/% native/wasm/% native/openings/%,$(native_files)) CMakeLists.txt pyproject.toml src/cairn/megaliths.json
	$(require_compiler)
	@echo "Building the native core (a minute or two the first time) ..."
	@$(PIP) install --no-build-isolation --no-deps --config-settings=cmake.define.CAIRN_WERROR=$(WERROR) --editable .
	@touch $@

$(peers): $(venv) requirements/bench.lock
	$(call install_lock,bench)
	@touch $@

$(research): $(venv) requirements/research.lock
	$(call install_lock,research)
	@touch $@

$(ray): $(venv) requirements/ray.lock
	$(call install_lock,ray)
	@touch $@

# Keeps packages that are already installed, such as a build of PyTorch for the CPU, which is much smaller.
$(train): $(venv) requirements/train.lock
	@$(BIN)/python -c 'import matplotlib, numpy, torch' 2>/dev/null || { $(subst @,,$(call install_lock,train)); }
	@touch $@

$(zig): $(venv) requirements/wasm.lock
	$(call install_lock,wasm)
	@touch $@

$(docs): $(venv) requirements/docs.lock
	$(call install_lock,docs)
	@touch $@

# A separate environment keeps the dependencies of pip-audit apart from ours.
$(audit): $(venv) requirements/audit.lock
	@$(BIN)/python -m venv build/audit
	@build/audit/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements/audit.lock
	@touch $@

# Builds wheels for releases. Keeps these dependencies apart from ours, too.
$(release): $(venv) requirements/release.lock
	@$(BIN)/python -m venv build/release
	@build/release/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements/release.lock
	@touch $@

# fontTools is needed so rarely that it has an environment of its own.
$(fonts): $(venv) requirements/fonts.lock
	@$(BIN)/python -m venv build/fonts
	@build/fonts/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements/fonts.lock
	@touch $@

$(node): $(venv) web/package.json web/board/package.json web/package-lock.json web/.npmrc
	@echo "Installing the web tools ..."
	@$(NPM) ci
	@touch $@

# The web client's types are generated from the server's messages, and the artwork from the drawings in Python. A file
# whose content would not change is left untouched, so that nothing is rebuilt needlessly.
build/openapi.json: $(package) $(shell find src/cairn/server src/cairn/story -name '*.py')
	@mkdir -p $(@D)
	@$(BIN)/python -m cairn.server.web.openapi $@

$(types_of_api): build/openapi.json $(node)
	@echo "Generating the web client's types ..."
	@$(NPM) run types

$(art): $(package) $(wildcard src/cairn/svg/*.py) src/cairn/megaliths.json
	@echo "Drawing the artwork ..."
	@$(BIN)/python -m cairn.svg.sheet $@

$(geometry): $(package) $(wildcard src/cairn/svg/*.py) src/cairn/megaliths.json
	@$(BIN)/python -m cairn.svg.typescript $(@D)

$(icons): $(package) src/cairn/svg/icons.py
	@$(BIN)/python -m cairn.svg.icons $(@D)

$(lessons): $(package) $(wildcard src/cairn/server/web/lessons.*) src/cairn/megaliths.json
	@$(BIN)/python -m cairn.server.web.lessons $(@D)

$(puzzles): $(package) src/cairn/puzzles/web.py src/cairn/puzzles/puzzle.py src/cairn/puzzles/puzzles.jsonl
	@$(BIN)/python -m cairn.puzzles.web $(@D)
	@touch $@

$(explorer): $(package) $(wildcard $(addprefix src/cairn/explorer/*.,py tsv json))
	@$(BIN)/python -m cairn.explorer.web $(@D)
	@touch $@

$(pages): $(node) $(generated) $(web_files) $(wasm) src/cairn/megaliths.json src/cairn/engine/network.bin $(wildcard src/cairn/messages/*.json)
	@echo "Building the pages ..."
	@$(NPM) run build
	@touch $@

$(board): $(node) $(art) $(geometry) $(filter web/board/%,$(web_files))
	@echo "Building the board ..."
	@$(NPM) run build --workspace @cairn/board
	@touch $@

# The core and its interface, without training and the bindings; no exceptions, no run-time type information.
# Linked without the C++ library, which would have to be built first; native/wasm/runtime.cpp has the parts in use.
WASM_FLAGS := -target wasm32-wasi -std=c++20 -g0 -DNDEBUG -msimd128 -fno-exceptions -fno-rtti \
	-fno-threadsafe-statics -Wall -Wextra -Inative -Ibuild/wasm
WASM_LINK_FLAGS := --no-entry --strip-all --gc-sections --stack-first -z stack-size=2097152
ZIG := ZIG_GLOBAL_CACHE_DIR=$(abspath build/zig) $(BIN)/python -m ziglang
# What a search calls for every node. These sources are compiled for speed, all others for size.
wasm_fast := $(addprefix native/,$(addsuffix .cpp,evaluation lines network position powers search search_order \
	search_root table turn weights))
wasm_small := $(filter-out $(wasm_fast),$(wildcard native/*.cpp)) $(wildcard native/wasm/*.cpp)

build/wasm/megaliths.inc: native/generate_megaliths.py src/cairn/megaliths.json
	@mkdir -p $(@D)
	@$(PYTHON) native/generate_megaliths.py src/cairn/megaliths.json $@

# Each part is compiled as a single source, which takes a quarter of the CPU time.
build/wasm/fast.o: optimization := -O3
build/wasm/fast.o: $(wasm_fast)
build/wasm/small.o: optimization := -Os
build/wasm/small.o: $(wasm_small)
build/wasm/%.o: $(wildcard native/*.h native/wasm/*.h) build/wasm/megaliths.inc $(zig)
	@echo "Compiling the $* part of the core for WebAssembly ..."
	@printf '#include "%s"\n' $(patsubst native/%,%,$(filter %.cpp,$^)) > $(@:.o=.cpp)
	@$(ZIG) c++ $(WASM_FLAGS) $(optimization) -c $(@:.o=.cpp) -o $@

$(wasm): build/wasm/fast.o build/wasm/small.o
	@$(ZIG) wasm-ld $(WASM_LINK_FLAGS) $^ -o $@

# Self-play runs for hours on the machine that builds it, so it is compiled for that machine's processor. Its games are
# the same on every machine.
$(selfplay): $(venv) $(filter-out native/tests/% native/wasm/% native/bindings/% native/openings/%,$(native_files)) CMakeLists.txt
	$(require_compiler)
	@$(BIN)/cmake -S . -B $(@D) -G Ninja --log-level=WARNING -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
		-DPython_EXECUTABLE=$(abspath $(BIN))/python -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-march=native \
		-DCAIRN_BUILD_SELFPLAY=ON -DCAIRN_WERROR=$(WERROR)
	@$(BIN)/cmake --build $(@D) --target cairn_selfplay

# Runs for minutes to hours, so it is compiled for this machine's processor too. The results do not depend on it.
$(openings): $(venv) $(wildcard native/*.h native/*.cpp) $(filter native/openings/%,$(native_files)) CMakeLists.txt
	$(require_compiler)
	@$(BIN)/cmake -S . -B $(@D) -G Ninja --log-level=WARNING -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
		-DPython_EXECUTABLE=$(abspath $(BIN))/python -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-march=native \
		-DCAIRN_BUILD_OPENINGS=ON -DCAIRN_WERROR=$(WERROR)
	@$(BIN)/cmake --build $(@D) --target cairn_openings

$(library): $(venv) $(filter-out native/tests/% native/wasm/% native/bindings/% native/training/% native/openings/%,$(native_files)) CMakeLists.txt
	$(require_compiler)
	@$(BIN)/cmake -S . -B $(@D) -G Ninja --log-level=WARNING -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
		-DPython_EXECUTABLE=$(abspath $(BIN))/python -DCMAKE_BUILD_TYPE=Release \
		-DCAIRN_BUILD_LIBRARY=ON -DCAIRN_WERROR=$(WERROR)
	@$(BIN)/cmake --build $(@D) --target cairn

# After this, CMake itself detects changed and new sources.
$(NATIVE_BUILD)/build.ninja: $(venv)
	$(require_compiler)
	$(BIN)/cmake -S . -B $(NATIVE_BUILD) -G Ninja --log-level=WARNING -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
		-DPython_EXECUTABLE=$(abspath $(BIN))/python -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DCAIRN_BUILD_TESTS=ON -DCAIRN_SANITIZE=ON -DCAIRN_WERROR=$(WERROR)
	@touch $@
