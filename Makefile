# The front door.  Meson and Ninja do the work; see CONTRIBUTING.md.
BUILD ?= build
SECONDS_EACH ?= 60
PREFIX ?= /usr/local

.PHONY: build program demo test test-long test-foreign lint bench evaluate fuzz install clean help apps

help:
	@echo "make demo       a first look, in under two minutes"
	@echo "make build      the program at $(BUILD)/runcast"
	@echo "make test       the tests, plain and under sanitizers"
	@echo "make test-long  the slow tests"
	@echo "make test-foreign  unit, fuzz and numerical tests for the other architecture, in QEMU"
	@echo "make lint       compiler warnings, formatting, source tree, manual pages, scripts [CHECK=name]"
	@echo "make bench      speed, side by side with other tools"
	@echo "make evaluate   accuracy [PART=name]"
	@echo "make fuzz       fuzz the parsers [SECONDS_EACH=60] [TARGET=calibration|csv|expression|load|model|platform|predict|record|scaling|sense|sim|slowdown|sockets|trace|units|watch]"
	@echo "make apps       the workloads of apps/, for every MPI that is here"
	@echo "make install    to PREFIX=$(PREFIX)"

$(BUILD)/build.ninja:
	@tools/bootstrap build
	@meson setup $(BUILD) -Dtests=disabled > build.log 2>&1 || { cat build.log; rm build.log; exit 1; }
	@rm -f build.log

# Ninja shows its progress on a terminal.
ninja = if [ -t 1 ] || [ -n "$$MAKE_TERMOUT" ]; then ninja -C $(BUILD) $(1); else echo building...; ninja -C $(BUILD) --quiet $(1); fi

build: $(BUILD)/build.ninja
	@$(call ninja)

# Only the program.
program: $(BUILD)/build.ninja
	@$(call ninja,runcast)

demo: program
	@tools/demo $(BUILD)/runcast

test:
	@tools/bootstrap test
	@tools/run-tests

test-long:
	@tools/bootstrap test
	@tools/run-tests long

test-foreign:
	@tools/bootstrap lint
	@tools/run-tests foreign

lint:
	@tools/bootstrap lint
	@tools/lint $(CHECK)

bench: build
	@ninja -C $(BUILD) --quiet bench
	@for each in bench/import.py bench/series.py bench/advise.py bench/sim.py bench/pmpi.py; do echo; python3 $$each $(BUILD)/runcast || exit 1; done
	@echo; $(BUILD)/bench-value
	@echo; $(BUILD)/bench-model
	@echo; $(BUILD)/bench-forecast
	@echo; $(BUILD)/bench-fit
	@echo; $(BUILD)/bench-regress $(BUILD)/runcast
	@echo; $(BUILD)/bench-trace
	@echo; $(BUILD)/bench-loops
	@echo; $(BUILD)/bench-clusters
	@echo; $(BUILD)/bench-slowdown

apps:
	@tools/build-apps $(BUILD)/apps

evaluate: build
	@ninja -C $(BUILD) --quiet evaluate
	@tools/evaluate $(BUILD)/runcast "$(PART)"

fuzz:
	@tools/bootstrap test
	@tools/fuzz "$(TARGET)" "$(SECONDS_EACH)"

install: build
	@meson configure $(BUILD) -Dprefix=$(abspath $(PREFIX))
	@meson install -C $(BUILD)

clean:
	rm -rf build build-*
