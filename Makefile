# Everything a user or a contributor runs. `make help` lists it.
# On a fresh Debian machine each target installs the packages it needs by itself.

BUILD_PACKAGES := cmake g++ ninja-build libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libfmt-dev libgmp-dev \
  libcadical-dev zlib1g-dev liblzma-dev libonnx-dev protobuf-compiler libprotobuf-dev
TEST_PACKAGES := libgtest-dev libbenchmark-dev clang-format clang-tidy mold clasp cadical coinor-cbc minizinc chromium \
  dpkg-dev file xz-utils
MPI_PACKAGES := libopenmpi-dev openmpi-bin
PYTHON_BUILD_PACKAGES := python3-dev python3-numpy pybind11-dev
PYTHON_TEST_PACKAGES := python3-pytest python3-pandas python3-markdown mypy

JOBS ?= $(shell nproc)
BNNPLAN := build/release/src/cli/bnnplan
PYTHON ?= /usr/bin/python3

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile | sort -u)

help: ## List these targets
	@awk -F ':.*## ' '/^#= / { print (n++ ? "\n" : "") substr($$0, 4) } \
	  /^[a-z-]+:.*## / { line = sprintf("  make %-13s", $$1); words = split($$2, word, " "); \
	    for (i = 1; i <= words; ++i) { if (length(line " " word[i]) > 80) { print line; line = sprintf("%20s", "") } line = line " " word[i] } print line }' Makefile

#= Use it

demo: ## Set up, build, and plan the problem that README shows
	@echo "bnnplan: installs what it is built with, builds the program (about four minutes on two cores), and plans a shipped problem"
	@$(MAKE) --no-print-directory deps
	cmake --preset release -DBNNPLAN_TESTS=OFF
	cmake --build --preset release -j $(JOBS) --target bnnplan
	$(BNNPLAN) plan models/cellda_8x8.toml --picture
	@echo "the program is $(BNNPLAN)"

build: deps ## Set up and build the program: build/release/src/cli/bnnplan
	cmake --preset release -DBNNPLAN_TESTS=OFF
	cmake --build --preset release -j $(JOBS)

install: build ## Install the program and the library (PREFIX=/usr/local, DESTDIR)
	cmake --install build/release --prefix $(or $(PREFIX),/usr/local)

python: python-deps ## Build the Python package and install it for Debian's python3, or for PYTHON=...
	target=$$($(PYTHON) python/install_folder.py) && \
	cmake --preset release -DBNNPLAN_TESTS=OFF -DBNNPLAN_PYTHON=ON -DPYTHON=$(PYTHON) -DPYTHON_PACKAGES="$$target" && \
	cmake --build --preset release -j $(JOBS) --target bnnplan_python && \
	cmake --install build/release --component python --prefix build/release/python/installed  # that is for all but the package
	cd / && $(PYTHON) -c "import bnnplan; print('bnnplan', bnnplan.__version__, 'in', bnnplan.__path__[0])"

mpi: mpi-deps ## Build the program for clusters as well: build/release/src/mpi/bnnplan-mpi (docs/cluster.md)
	cmake --preset release -DBNNPLAN_TESTS=OFF -DBNNPLAN_MPI=ON
	cmake --build --preset release -j $(JOBS)

package: python-deps mpi-deps ## Make Debian packages of the programs, the library and the Python package: build/package/*.deb
	@./tools/install-packages dpkg-dev file
	cmake --preset release -DBNNPLAN_TESTS=OFF -DBNNPLAN_MPI=ON -DBNNPLAN_PYTHON=ON -DPYTHON=/usr/bin/python3 -DPYTHON_PACKAGES=lib/python3/dist-packages
	cmake --build --preset release -j $(JOBS)
	cd build/release && cpack -G DEB -B ../package
	rm -rf build/package/_CPack_Packages

models: build ## Learn the shipped networks again from domains/ (minutes)
	JOBS=$(JOBS) ./tools/make-models $(BNNPLAN)

site: build ## Make the project's pages for a web server: build/site/
	@./tools/install-packages python3 python3-markdown
	/usr/bin/python3 tools/make-site --bnnplan $(BNNPLAN) -o build/site

#= Develop it

# First the unit tests with the address and undefined-behaviour sanitizers, then what these cannot do or distort without them.
test: test-deps sanitize ## Run all tests: unit tests with sanitizers, the others without
	cmake --preset test
	cmake --build --preset test -j $(JOBS)
	tools/run-tests --preset test -j $(JOBS)

# With ONLY="base check ...": a program for each of these folders.
only = $(ONLY:%=%_test)
run_only = $(foreach folder,$(ONLY),$(2) build/$(1)/tests/$(folder)/$(folder)_test &&) true

sanitize: test-deps ## Run the unit tests, or those of ONLY="base check ...", with the address and undefined-behaviour sanitizers
	cmake --preset sanitize $(SANITIZE_FLAGS)
	cmake --build --preset sanitize -j $(JOBS) $(if $(ONLY),--target $(only))
	$(if $(ONLY),$(call run_only,sanitize),tools/run-tests --preset sanitize -j $(JOBS))

nightly: ## Run everything: clang-tidy on all of src/, all tests in all configurations, valgrind, and each fuzzer for TIME=60 seconds
	$(MAKE) check-format
	$(MAKE) tidy
	$(MAKE) sanitize SANITIZE_FLAGS=-DCMAKE_CXX_FLAGS_DEBUG=-g1
	cmake --preset test -DBNNPLAN_TESTS=all
	cmake --build --preset test -j $(JOBS)
	tools/run-tests --preset test -j $(JOBS)
	$(MAKE) tsan
	$(MAKE) valgrind
	$(MAKE) fuzz

# Where addresses are spread too far for it, the sanitizer needs them in their usual places.
tsan: ONLY ?= base learn engines
tsan: test-deps ## Run the unit tests of ONLY="base learn engines", those with threads, with the thread sanitizer
	cmake --preset tsan
	cmake --build --preset tsan -j $(JOBS) --target $(only)
	$(call run_only,tsan,$$(setarch -R true 2>/dev/null && echo setarch -R))

valgrind: build ## Run a sample of all commands under valgrind's memcheck
	@./tools/install-packages valgrind
	tools/run-valgrind $(BNNPLAN)

fuzz: test-deps ## Fuzz each reader and each engine for TIME=60 seconds, all or those of ONLY="rddl proof ..."
	@./tools/install-packages clang libclang-rt-dev
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	JOBS=$(JOBS) fuzz/run $(or $(TIME),60) $(ONLY)

# Without the tests of faults: files cut short and programs killed break the counters, which are files as well.
coverage: test-deps ## Run all tests, or the unit tests of ONLY="base check ...", and print the share of lines they reach in each folder of src/
	@./tools/install-packages gcovr
	cmake --preset coverage
	cmake --build --preset coverage -j $(JOBS) $(if $(ONLY),--target $(only))
	find build/coverage -name '*.gcda' -delete
	$(if $(ONLY),$(call run_only,coverage),ctest --preset coverage -j $(JOBS) -E '^faults\.')
	tools/coverage-by-folder build/coverage

format: test-deps ## Format the sources
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

check-format: test-deps ## Fail if a source is not formatted
	git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror

tidy: test-deps ## Run clang-tidy over src/, with the short list of .clang-tidy
	tools/run-tidy $(JOBS)

tidy-changed: test-deps ## Run clang-tidy over the folders of src/ that changed since the last full run
	tools/run-tidy $(JOBS) changed

deps: ## Install the packages that the program is built with
	@./tools/install-packages $(BUILD_PACKAGES)

mpi-deps: ## Install the packages that the program for clusters is built with
	@./tools/install-packages $(BUILD_PACKAGES) $(MPI_PACKAGES)

python-deps: ## Install the packages that the Python package is built with
	@./tools/install-packages $(BUILD_PACKAGES) $(PYTHON_BUILD_PACKAGES)

test-deps: ## Install the packages that the tests need
	@./tools/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES) $(MPI_PACKAGES) $(PYTHON_BUILD_PACKAGES) $(PYTHON_TEST_PACKAGES)

clean: ## Remove what was built
	rm -rf build

#= Measure it

bench: test-deps ## Build and run the benchmarks
	cmake --preset release -DBNNPLAN_TESTS=OFF -DBNNPLAN_BENCHMARKS=ON
	cmake --build --preset release -j $(JOBS)
	for bench in inference classify encode published ladder rddl learn; do echo "== $$bench"; build/release/bench/$${bench}_bench || exit 1; done

compare: test-deps build ## Run the standard comparison with other solvers (hours) and write bench/RESULTS.md
	bench/compare
