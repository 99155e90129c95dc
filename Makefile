# Everything a user or a contributor runs. `make help` lists it.
# On a fresh Debian machine each target installs the packages it needs by itself.

BUILD_PACKAGES := cmake g++ ninja-build libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libfmt-dev libgmp-dev \
  libcadical-dev zlib1g-dev liblzma-dev libonnx-dev protobuf-compiler libprotobuf-dev
TEST_PACKAGES := libgtest-dev libbenchmark-dev clang-format clang-tidy clasp cadical coinor-cbc minizinc chromium \
  dpkg-dev file xz-utils
MPI_PACKAGES := libopenmpi-dev openmpi-bin
PYTHON_BUILD_PACKAGES := python3-dev python3-numpy pybind11-dev
PYTHON_TEST_PACKAGES := python3-pytest python3-pandas python3-markdown mypy

JOBS ?= $(shell nproc)
BNNPLAN := build/release/src/cli/bnnplan
PYTHON ?= /usr/bin/python3

.PHONY: help demo test build mpi python site models deps mpi-deps python-deps test-deps sanitize tsan valgrind fuzz bench format tidy check-format install package coverage \
  clean compare

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

demo: ## Set up, build, and plan the problem that README shows
	@echo "bnnplan: installs what it is built with, builds the program (about four minutes on two cores), and plans a shipped problem"
	@$(MAKE) --no-print-directory deps
	cmake --preset release -DBNNPLAN_TESTS=OFF
	cmake --build --preset release -j $(JOBS) --target bnnplan
	$(BNNPLAN) plan models/cellda_8x8.toml --picture
	@echo "the program is $(BNNPLAN)"

test: test-deps ## Set up, build with assertions on, and run all tests
	cmake --preset test
	cmake --build --preset test -j $(JOBS)
	tools/run-tests --preset test -j $(JOBS)

build: deps ## Set up and build the program: build/release/src/cli/bnnplan
	cmake --preset release -DBNNPLAN_TESTS=OFF
	cmake --build --preset release -j $(JOBS)

python: python-deps ## Build the Python package and install it for Debian's python3, or for PYTHON=...
	target=$$($(PYTHON) python/install_folder.py) && \
	cmake --preset release -DBNNPLAN_TESTS=OFF -DBNNPLAN_PYTHON=ON -DPYTHON=$(PYTHON) -DPYTHON_PACKAGES="$$target" && \
	cmake --build --preset release -j $(JOBS) --target bnnplan_python && \
	cmake --install build/release --component python --prefix build/release/python/installed  # that is for all but the package
	cd / && $(PYTHON) -c "import bnnplan; print('bnnplan', bnnplan.__version__, 'in', bnnplan.__path__[0])"

mpi: mpi-deps ## Build the program for clusters as well: build/release/src/mpi/bnnplan-mpi (docs/cluster.md)
	cmake --preset release -DBNNPLAN_TESTS=OFF -DBNNPLAN_MPI=ON
	cmake --build --preset release -j $(JOBS)

deps: ## Install the packages the program is built with, those that are missing
	@./tools/install-packages $(BUILD_PACKAGES)

mpi-deps: ## Install those that the program for clusters is built with
	@./tools/install-packages $(BUILD_PACKAGES) $(MPI_PACKAGES)

python-deps: ## Install those that the Python package is built with
	@./tools/install-packages $(BUILD_PACKAGES) $(PYTHON_BUILD_PACKAGES)

test-deps: ## Install those that the tests need as well
	@./tools/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES) $(MPI_PACKAGES) $(PYTHON_BUILD_PACKAGES) $(PYTHON_TEST_PACKAGES)

sanitize: test-deps ## Run all tests, or those of ONLY="base check ...", with the address and undefined-behaviour sanitizers
	cmake --preset sanitize
	cmake --build --preset sanitize -j $(JOBS) $(if $(ONLY),--target $(ONLY:%=%_test))
	tools/run-tests --preset sanitize -j $(JOBS) $(if $(ONLY),-R "^($$(echo $(ONLY) | tr ' ' '|'))\.")

# Where addresses are spread too far for it, the sanitizer needs them in their usual places.
tsan: ONLY ?= base learn engines
tsan: test-deps ## Run the tests of ONLY="base learn engines", those with threads, with the thread sanitizer
	cmake --preset tsan
	cmake --build --preset tsan -j $(JOBS) --target $(ONLY:%=%_test)
	$$(setarch -R true 2>/dev/null && echo setarch -R) ctest --preset tsan -j $(JOBS) -R "^($$(echo $(ONLY) | tr ' ' '|'))\."

valgrind: build ## Run a sample of all commands under valgrind's memcheck
	@./tools/install-packages valgrind
	tools/run-valgrind $(BNNPLAN)

fuzz: test-deps ## Fuzz each reader and each engine for TIME=60 seconds, all or those of ONLY="rddl proof ..."
	@./tools/install-packages clang libclang-rt-dev
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	JOBS=$(JOBS) fuzz/run $(or $(TIME),60) $(ONLY)

bench: test-deps ## Build and run the benchmarks
	cmake --preset release -DBNNPLAN_TESTS=OFF -DBNNPLAN_BENCHMARKS=ON
	cmake --build --preset release -j $(JOBS)
	for bench in inference classify encode published ladder rddl learn; do echo "== $$bench"; build/release/bench/$${bench}_bench || exit 1; done

site: build ## Make the project's pages for a web server: build/site/
	@./tools/install-packages python3 python3-markdown
	/usr/bin/python3 tools/make-site --bnnplan $(BNNPLAN) -o build/site

models: build ## Learn the shipped networks again from domains/ (minutes)
	JOBS=$(JOBS) ./tools/make-models $(BNNPLAN)

compare: test-deps build ## Run the standard comparison with other solvers (hours) and write bench/RESULTS.md
	bench/compare

format: test-deps ## Format the sources
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

tidy: test-deps ## Run clang-tidy over src/, with the short list of .clang-tidy
	tools/run-tidy $(JOBS)

check-format: test-deps ## Fail if a source is not formatted
	git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror

install: build ## Install the program and the library (PREFIX=/usr/local, DESTDIR)
	cmake --install build/release --prefix $(or $(PREFIX),/usr/local)

package: python-deps mpi-deps ## Make Debian packages of the programs, the library and the Python package: build/package/*.deb
	@./tools/install-packages dpkg-dev file
	cmake --preset release -DBNNPLAN_TESTS=OFF -DBNNPLAN_MPI=ON -DBNNPLAN_PYTHON=ON -DPYTHON=/usr/bin/python3 -DPYTHON_PACKAGES=lib/python3/dist-packages
	cmake --build --preset release -j $(JOBS)
	cd build/release && cpack -G DEB -B ../package
	rm -rf build/package/_CPack_Packages

# Without the tests of faults: files cut short and programs killed break the counters, which are files as well.
coverage: test-deps ## Run all tests, or those of ONLY="base check ...", and print the share of lines they reach in each folder of src/
	@./tools/install-packages gcovr
	cmake --preset coverage
	cmake --build --preset coverage -j $(JOBS) $(if $(ONLY),--target $(ONLY:%=%_test))
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage -j $(JOBS) $(if $(ONLY),-R "^($$(echo $(ONLY) | tr ' ' '|'))\.") -E '^faults\.'
	tools/coverage-by-folder build/coverage

clean: ## Remove what was built
	rm -rf build
