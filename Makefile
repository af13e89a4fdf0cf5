# Every step of building, checking and installing is a target here; .ci/run only calls them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
DESTDIR ?=
# Seconds that each fuzz target runs.
FUZZ_SECONDS ?= 60

COMMANDS := calibrate show-intrinsics import-calibration make-board list-cameras compare-calibrations

# Debian packages that building needs, and those that only the tests use; README.md says what for.
BUILD_PACKAGES := libopencv-calib3d-dev libjpeg-dev libpng-dev libyaml-dev libexpat1-dev libcairo2-dev
BENCH_PACKAGES := g++ jq libopencv-imgcodecs-dev libturbojpeg0-dev
TEST_PACKAGES := ffmpeg jq python3-yaml poppler-utils
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# `sudo make` and non-login shells often lack Swift on PATH: look where it is usually installed.
SWIFT ?= $(shell command -v swift || ls -1 /opt/swift/usr/bin/swift /usr/share/swift/usr/bin/swift \
  /usr/libexec/swift/bin/swift ~/.local/share/swiftly/bin/swift \
  ~$${SUDO_USER:-}/.local/share/swiftly/bin/swift 2>/dev/null | head -n 1)

# Commands as installed: the Swift runtime inside, stripped. lld, because the default linker warns
# about the static runtime.
RELEASE := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -s
PHOTOS := .build/demo/photos

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: swift
swift:
	@[ -n "$(SWIFT)" ] || { echo "make: no 'swift' on PATH or in the usual places; install Swift 6.2 or" \
	  "later (https://www.swift.org/install/linux/), or name it: make SWIFT=/path/to/swift" >&2; exit 1; }

.PHONY: setup
setup: ## install the Debian packages that building needs and that are missing
	@$(call install-packages,$(BUILD_PACKAGES))

.PHONY: setup-test
setup-test: setup ## the same for what the tests use besides
	@$(call install-packages,$(TEST_PACKAGES))

# Installs the packages of the argument that are missing; touches nothing where none is.
define install-packages
missing=(); for package in $(1); do \
  [[ "$$(dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null)" == installed ]] \
    || missing+=($$package); done; \
if (($${#missing[@]})); then \
  if [[ -n "$(SUDO)" ]] && ! command -v sudo >/dev/null; then \
    echo "make: packages are missing and there is no sudo; run as root:" \
      "apt-get update && apt-get install -y --no-install-recommends $${missing[*]}" >&2; exit 1; fi; \
  $(SUDO) apt-get update -q; \
  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    "$${missing[@]}"; fi
endef

.PHONY: build
build: swift setup ## build everything in debug mode, the tests too
	$(SWIFT) build --build-tests

.PHONY: release
release: swift setup ## build the commands as they are installed
	for command in $(COMMANDS); do $(SWIFT) build $(RELEASE) --product $$command; done

.PHONY: demo
demo: release $(PHOTOS)/left01.jpg ## calibrate the left camera of OpenCV's sample photographs
	@rm -rf .build/demo/calibrations; bin="$$($(SWIFT) build $(RELEASE) --show-bin-path)"; \
	run() { echo; echo "$$ $$*"; PATH="$$bin:$$PATH" "$$@"; }; \
	run calibrate --board 9x6 --square 25mm --device-name opencv-left \
	  --store .build/demo/calibrations '$(PHOTOS)/left*.jpg'; \
	run show-intrinsics opencv-left --store .build/demo/calibrations

.PHONY: test-demo
test-demo: ## run the demo and compare what README.md shows of it
	@$(MAKE) --no-print-directory demo | Tests/Installation/check-readme.sh README.md

# The photographs come with Debian's opencv-doc. Images for containers leave documentation out even
# where the package is installed, so they are unpacked from the package and nothing is installed.
$(PHOTOS)/left01.jpg:
	@mkdir -p $(PHOTOS) .build/demo/package
	@source="$$(dirname "$$(dpkg -L opencv-doc 2>/dev/null | grep '/left01\.jpg$$' || echo none/)")"; \
	if [[ ! -f "$$source/left01.jpg" ]]; then \
	  cd .build/demo/package; \
	  get="apt-get download -q -o APT::Sandbox::User=root opencv-doc"; \
	  $$get || { $(SUDO) apt-get update -q && $$get; }; \
	  dpkg-deb --fsys-tarfile opencv-doc_*.deb | tar -x --wildcards '*/left[0-9]*.jpg'; cd - >/dev/null; \
	  source="$$(dirname "$$(find .build/demo/package -name left01.jpg | head -n 1)")"; fi; \
	cp "$$source"/left[0-9][0-9].jpg $(PHOTOS)/; rm -rf .build/demo/package

.PHONY: test
test: swift setup-test ## run all tests
	@$(call run-tests,test)

# Optimised, as thousands of solutions are compared; the tests see what is internal all the same.
.PHONY: test-long
test-long: swift setup-test ## run all tests, those that take minutes too, optimised
	@$(call run-tests,test-long,CAMERA_INTRINSICS_LONG_TESTS=1,\
	  -c release -Xswiftc -enable-testing --scratch-path .build/long)

# The prefix of an OpenCV, and the suites that its answers reach: those that find boards, and those that
# compare with its calibration (CONTRIBUTING.md). From one OpenCV to the next little is built anew.
OPENCV ?=
OPENCV_SUITES ?= OpenCVTests|BoardDetectionTests|BoardPrintingTests|CalibrationTests|$\
CalibrationFormatsTests|CalibrationSolverTests.ReferenceTests|CalibrateTests|RealPhotographTests

.PHONY: test-opencv
test-opencv: swift setup-test ## run the tests that need OpenCV with another one (OPENCV=PREFIX)
	@[ -n "$(OPENCV)" ] || { echo "make: which OpenCV? make test-opencv OPENCV=/prefix/that/it/is/in" >&2; exit 1; }
	@$(call run-tests,opencv,CAMERA_INTRINSICS_OPENCV="$(abspath $(OPENCV))",\
	  --scratch-path .build/opencv --filter '$(OPENCV_SUITES)')

# Runs `swift test` with a log of the name of argument 1, the environment of 2 and the options of 3.
# What failed is said again at the end, as it stands somewhere in thousands of lines, of which the screen
# does not get those that only say that a test has started, nor more than the beginning of long ones. A
# runner that found no tests ends with 0: they are counted.
define run-tests
mkdir -p .build; log=.build/$(1).log; \
echo "$(strip $(2) $(SWIFT) test --disable-xctest $(3))"; \
$(2) $(SWIFT) test --disable-xctest $(3) 2>&1 | tee $$log \
  | sed -u -E '/^◇ /d; s/^(.{1000}).*/\1 …/' || { \
  { echo; grep -aE ' recorded an issue |error: |ERROR: |WARNING: ' $$log || true; \
  echo "make: not all tests passed; the whole log is $$log"; } >&2; exit 1; }; \
count="$$(sed -n 's/^.*Test run with \([0-9]*\) tests\{0,1\} .*passed.*$$/\1/p' $$log | tail -n 1)"; \
if [[ -z "$$count" || "$$count" == 0 ]]; then echo "make: no tests were run" >&2; exit 1; fi; \
echo "$$count tests passed"
endef

# The same under a sanitizer. What it reports always decides, and so does a test that fails twice. But
# it slows some threads down tenfold, so an expectation that failed without any report is tried once
# more, with only the tests of its file running.
define run-tests-sanitized
( $(call run-tests,$(1),$(2),$(3) $(4)) ) || { log=.build/$(1).log; \
  files="$$(sed -nE 's/^.* recorded an issue at ([A-Za-z0-9+]+\.swift):.*$$/\1/p' $$log | sort -u \
    | paste -sd '|')"; \
  if [[ -z "$$files" ]] || ! grep -aqE 'Test run with [0-9]+ tests? .* failed' $$log \
    || grep -aqE 'Sanitizer:|ERROR: |unexpected signal' $$log; then exit 1; fi; \
  echo "make: no report of the sanitizer; once more, alone: $$files" >&2; \
  $(call run-tests,$(1)-again,$(2),$(3) --filter "$$files"); }
endef

.PHONY: test-consumer
test-consumer: swift ## build a package that depends on this one, by path and by tag
	SWIFT="$(SWIFT)" Tests/Consumer/check.sh

.PHONY: test-install
test-install: swift setup ## install into a scratch folder, check what is there, uninstall
	SWIFT="$(SWIFT)" Tests/Installation/check.sh

# Names of files in Tests/V4L2Guest/checks, without ".sh"; empty for all.
CHECKS ?=

.PHONY: test-v4l2
test-v4l2: swift setup ## test with real V4L2 drivers, in a QEMU guest (CHECKS="drivers …" for some)
	$(SWIFT) build
	$(SWIFT) build $(RELEASE) --product calibrate
	@Tests/V4L2Guest/test.sh "$$($(SWIFT) build --show-bin-path)" \
	  "$$($(SWIFT) build $(RELEASE) --show-bin-path)/calibrate" $(CHECKS)

.PHONY: samples
samples: swift setup ## render the sample frames anew
	CAMERA_INTRINSICS_RECORD=1 $(SWIFT) test --filter SampleSequenceTests

.PHONY: lint
lint: swift ## check the layout of the Swift sources
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests samples

.PHONY: format
format: swift ## lay out the Swift sources
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests samples

# Undefined behaviour of C and C++ traps instead of being reported, so that Swift's linker needs no
# runtime for it; a trap shows a backtrace. So it goes along with the address sanitizer in one build.
UNDEFINED := -fsanitize=undefined -fno-sanitize=vptr -fsanitize-trap=undefined
UNDEFINED := $(addprefix -Xcc ,$(UNDEFINED)) $(addprefix -Xcxx ,$(UNDEFINED))

# Each sanitizer has build files of its own, so that the builds do not undo one another.
.PHONY: sanitize-address
sanitize-address: swift setup-test ## run the tests under the address sanitizer, undefined behaviour trapped
	@$(call run-tests-sanitized,address,\
	  LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/leaks.txt:print_suppressions=0,\
	  --sanitize=address -Xswiftc -DSANITIZER $(UNDEFINED) -Xswiftc -use-ld=lld --scratch-path .build/address)

# The suites in which threads meet. All of them take the better part of an hour, most of it for
# pictures that are drawn and searched.
SUITES ?= CameraCaptureTests|V4L2Tests|CalibrateLiveTests|CalibrationTests.(Live|Focus|Stage)|$\
CalibrationSolverTests.BundleAdjustment|CalibrationStoreTests|CommandLineToolTests|FramesTests|$\
ImagingTests|OpenCVTests

.PHONY: sanitize-thread
sanitize-thread: swift setup-test ## run the tests of threads under the thread sanitizer (SUITES=. for all)
	@$(call run-tests-sanitized,thread,,\
	  --sanitize=thread -Xswiftc -DSANITIZER -Xswiftc -use-ld=lld --scratch-path .build/thread,--filter '$(SUITES)')

.PHONY: sanitize-undefined
sanitize-undefined: swift setup-test ## run the tests with only undefined behaviour of C and C++ trapped
	@$(call run-tests,undefined,,$(UNDEFINED) --scratch-path .build/undefined)

# Optimised, as that runs ten times as many inputs; overflows and bounds are checked all the same.
.PHONY: fuzzer
fuzzer: swift setup
	CAMERA_INTRINSICS_FUZZ=1 $(SWIFT) build -c release --product fuzz --scratch-path .build/fuzz \
	  -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld \
	  -Xcc -fsanitize=fuzzer-no-link,address

.PHONY: fuzz
fuzz: fuzzer ## feed random bytes to each parser of outside bytes for FUZZ_SECONDS
	FUZZ_SECONDS=$(FUZZ_SECONDS) Tests/Fuzzing/run.sh

.PHONY: fuzz-minimise
fuzz-minimise: fuzzer ## make the kept corpus anew, with what fuzzing has found
	Tests/Fuzzing/run.sh --minimise

# What runs ARM code on another machine.
NEON_PACKAGES := libc6-dev-arm64-cross libgcc-12-dev-arm64-cross qemu-user-static
.PHONY: test-neon
test-neon: swift ## compare the pixel kernels' NEON code with the rest, emulated where need be
	@[ "$$(uname -m)" = aarch64 ] || { $(call install-packages,$(NEON_PACKAGES)); }
	SWIFT="$(SWIFT)" Tests/PixelKernels/check.sh

.PHONY: bench-frames
bench-frames: swift setup ## measure conversions of frames beside memcpy, OpenCV and turbojpeg
	@$(call install-packages,$(BENCH_PACKAGES))
	$(SWIFT) build -c release --product bench-frames
	Tests/Benchmarks/frames.sh "$$($(SWIFT) build -c release --show-bin-path)/bench-frames"

.PHONY: bench-delivery
bench-delivery: swift setup ## measure what a frame costs the thread that takes it
	$(SWIFT) build -c release --product bench-delivery
	"$$($(SWIFT) build -c release --show-bin-path)/bench-delivery"

.PHONY: bench-live
bench-live: swift setup ## measure live calibrate beside a 1080p30 camera at its real pace, and a view more
	$(SWIFT) build -c release --product bench-live
	"$$($(SWIFT) build -c release --show-bin-path)/bench-live" guidance 10 50 200
	"$$($(SWIFT) build -c release --show-bin-path)/bench-live"

# The peers of the solver; those that are not to be had are left out, and named. Python's modules are
# looked for with PEER_PYTHONS, each of which has a cv2 of its own (pip install opencv-python-headless).
SOLVER_PEER_PACKAGES := g++ libceres-dev python3-mrcal python3-numpy
PEER_PYTHONS ?=

.PHONY: bench-solver
bench-solver: swift setup ## measure the solver beside OpenCV, Ceres and mrcal on the same points
	@$(call install-packages,$(SOLVER_PEER_PACKAGES)) || echo "bench-solver: not every peer is there"
	$(SWIFT) build -c release --product bench-solver
	Tests/Benchmarks/solver.sh "$$($(SWIFT) build -c release --show-bin-path)/bench-solver" $(PEER_PYTHONS)

# Folders of photographs with the board in each, FOLDER:BOARD.
SETS ?= $(PHOTOS):9x6

.PHONY: bench-lenses
bench-lenses: release $(PHOTOS)/left01.jpg ## compare the lens models on sets of photographs (SETS="FOLDER:BOARD …")
	Tests/Benchmarks/lenses.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)/calibrate" $(SETS)

# Where the real photographs are: a folder with one folder for each set.
PHOTOGRAPHS ?= $(or $(CAMERA_INTRINSICS_SHARED),../shared)/data

.PHONY: solver-table
solver-table: release ## compare the solver with OpenCV and mrcal on real photographs, into docs/solver.md
	@$(call install-packages,python3-mrcal python3-opencv python3-numpy)
	/usr/bin/python3 Tests/Benchmarks/solver-table.py \
	  "$$($(SWIFT) build $(RELEASE) --show-bin-path)/calibrate" "$(PHOTOGRAPHS)" > .build/solver.md
	mv .build/solver.md docs/solver.md

.PHONY: bench
bench: release bench-frames bench-delivery bench-live $(PHOTOS)/left01.jpg ## measure calibrate beside a plain OpenCV program, in one run
	@$(call install-packages,$(BENCH_PACKAGES))
	$(SWIFT) build -c release --product render-boards
	Tests/Benchmarks/endtoend.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)/calibrate" \
	  "$$($(SWIFT) build -c release --show-bin-path)/render-boards" $(PHOTOS)

.PHONY: install
install: release ## install commands, manual pages and completions below DESTDIR/PREFIX
	@bin="$$($(SWIFT) build $(RELEASE) --show-bin-path)"; to="$(DESTDIR)$(PREFIX)"; \
	bash=share/bash-completion/completions zsh=share/zsh/site-functions; \
	fish=share/fish/vendor_completions.d man=share/man/man1; \
	install -d "$$to/bin" "$$to/$$man" "$$to/$$bash" "$$to/$$zsh" "$$to/$$fish"; \
	for command in $(COMMANDS); do \
	  install -m 755 "$$bin/$$command" "$$to/bin/$$command"; \
	  "$$bin/$$command" --generate-man >"$$to/$$man/$$command.1"; \
	  "$$bin/$$command" --generate-completion bash >"$$to/$$bash/$$command"; \
	  "$$bin/$$command" --generate-completion zsh >"$$to/$$zsh/_$$command"; \
	  "$$bin/$$command" --generate-completion fish >"$$to/$$fish/$$command.fish"; \
	  echo "installed $$to/bin/$$command"; \
	done

.PHONY: uninstall
uninstall: ## remove what install put there; give the same PREFIX and DESTDIR
	@to="$(DESTDIR)$(PREFIX)"; for command in $(COMMANDS); do \
	  rm -f "$$to/bin/$$command" "$$to/share/man/man1/$$command.1" \
	    "$$to/share/bash-completion/completions/$$command" \
	    "$$to/share/zsh/site-functions/_$$command" \
	    "$$to/share/fish/vendor_completions.d/$$command.fish"; \
	  echo "removed $$to/bin/$$command"; \
	done

.PHONY: clean
clean: ## remove all that was built
	rm -rf .build
