# The commands of this project. `make` builds, `make run` shows a cluster, `make test` proves it.

APT_PACKAGES = g++ cmake make ninja-build pkg-config ccache libuv1-dev libroaring-dev \
  libprotobuf-dev protobuf-compiler libfmt-dev libspdlog-dev libcli11-dev libhiredis-dev \
  nlohmann-json3-dev catch2 libbenchmark-dev wamerican redis-server redis-tools python3 \
  python3-redis tcpdump
# Clients that the interop tests drive the daemon with.
NPM_PACKAGES = ioredis redis iovalkey

BUILD = build
SANITIZE_BUILD = build-sanitize
FUZZ_BUILD = build-fuzz
PREFIX ?= /usr/local
SEED ?= 1
SEEDS ?= 20000
JOBS ?= 2
FUZZ_SECONDS ?= 30
FUZZ ?= $(patsubst tests/fuzz/%_fuzz.cc,%,$(wildcard tests/fuzz/*_fuzz.cc))

SUDO = $(shell [ "$$(id -u)" = 0 ] || command -v sudo)
APT_INSTALL = DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends
# $(call need,PROGRAM,PACKAGE): for what only some targets use.
need = command -v $(1) >/dev/null || \
  { $(SUDO) apt-get update -q && $(SUDO) env $(APT_INSTALL) $(2); }
CONFIGURE = cmake -G Ninja -S . -DCMAKE_BUILD_TYPE=Release
SOURCES = git ls-files '*.h' '*.cc'

.PHONY: build deps apt-deps npm-deps run test sanitize sim soak figures bench fuzz format lint install clean

build:
	@$(CONFIGURE) -B $(BUILD) >/dev/null
	@ninja -C $(BUILD) -j$(JOBS)

deps: npm-deps

# Only what is missing: with everything there this asks no server and needs no rights.
apt-deps:
	@missing=; for package in $(APT_PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || \
	    missing="$$missing $$package"; \
	done; \
	command -v node >/dev/null || missing="$$missing nodejs"; \
	command -v npm >/dev/null || missing="$$missing npm"; \
	[ -z "$$missing" ] && exit 0; \
	echo "installing:$$missing"; \
	$(SUDO) apt-get update -q && $(SUDO) env $(APT_INSTALL) $$missing

npm-deps: apt-deps
	@missing=; for package in $(NPM_PACKAGES); do \
	  [ -d $(BUILD)/node/node_modules/$$package ] || missing=yes; \
	done; \
	[ -z "$$missing" ] && exit 0; \
	mkdir -p $(BUILD)/node && \
	npm install --no-save --no-audit --no-fund --prefix $(BUILD)/node $(NPM_PACKAGES)

# A cluster of three daemons on this machine, shown at work.
run: apt-deps
	@$(MAKE) --no-print-directory build
	@$(BUILD)/slotctl demo

test: deps
	@$(MAKE) --no-print-directory build
	ctest --test-dir $(BUILD) --output-on-failure -j$(JOBS)

# The same tests under AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: deps
	@$(CONFIGURE) -B $(SANITIZE_BUILD) -DSLOTD_SANITIZE=ON >/dev/null
	@ninja -C $(SANITIZE_BUILD) -j$(JOBS)
	ctest --test-dir $(SANITIZE_BUILD) --output-on-failure -j$(JOBS)

# One simulated life of a cluster, told line by line: make sim SEED=4711
sim: build
	$(BUILD)/tests/slotsim --seed $(SEED) --trace

# Lives that no test runs, one after the other: make soak SEED=100001 SEEDS=20000
soak: build
	$(BUILD)/tests/slotsim --first $(SEED) --seeds $(SEEDS)

# The protocol's figures at 6 to 3000 nodes beside their goals, in virtual time.
figures: build
	$(BUILD)/tests/figures

# Sizes, no verdict.
bench: build
	$(BUILD)/tests/myslots_sizes

# Every decoder against made-up bytes, under the sanitizers: tests/fuzz/README.md.
fuzz: apt-deps
	@$(call need,clang++,clang)
	@version=$$(clang++ -dumpversion | cut -d. -f1); \
	  ls /usr/lib/clang/$$version*/lib/linux/libclang_rt.fuzzer-*.a >/dev/null 2>&1 || \
	  $(SUDO) env $(APT_INSTALL) libclang-rt-$$version-dev
	@$(CONFIGURE) -B $(FUZZ_BUILD) -DCMAKE_CXX_COMPILER=clang++ -DSLOTD_FUZZ=ON >/dev/null
	@ninja -C $(FUZZ_BUILD) -j$(JOBS) fuzzers
	@$(FUZZ_BUILD)/tests/fuzz/fuzz_seeds $(FUZZ_BUILD)/seeds
	@for name in $(FUZZ); do \
	  mkdir -p $(FUZZ_BUILD)/corpus/$$name; \
	  $(FUZZ_BUILD)/fuzz/$${name}_fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=10 -max_len=8192 \
	    -print_funcs=0 -print_final_stats=1 -artifact_prefix=$(FUZZ_BUILD)/$$name- \
	    $(FUZZ_BUILD)/corpus/$$name $(FUZZ_BUILD)/seeds/$$name >$(FUZZ_BUILD)/$$name.log 2>&1 || \
	    { tail -n 60 $(FUZZ_BUILD)/$$name.log; echo "fuzz: $$name failed"; exit 1; }; \
	  sed -n "s/^stat::number_of_executed_units: */fuzz: $$name ok, inputs: /p" \
	    $(FUZZ_BUILD)/$$name.log; \
	done

format:
	@$(call need,clang-format,clang-format)
	$(SOURCES) | xargs clang-format -i

lint: build
	@$(call need,clang-tidy,clang-tidy)
	git ls-files '*.cc' | grep -v '^tests/' | xargs -P $(JOBS) -n 4 clang-tidy --quiet -p $(BUILD)

install: build
	cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD) $(SANITIZE_BUILD) $(FUZZ_BUILD)
