# The front door.  Meson and Ninja do the work; see CONTRIBUTING.md.
BUILD ?= build
SECONDS_EACH ?= 60
PREFIX ?= /usr/local

.PHONY: build demo test bench evaluate fuzz install clean bootstrap help apps

help:
	@echo "make demo       a first look, in under two minutes"
	@echo "make build      the program at $(BUILD)/runcast"
	@echo "make test       all tests, plain and under sanitizers"
	@echo "make bench      speed, side by side with other tools"
	@echo "make evaluate   accuracy [PART=name]"
	@echo "make fuzz       fuzz the parsers [SECONDS_EACH=60] [TARGET=calibration|csv|expression|load|model|platform|predict|record|scaling|sense|sim|slowdown|sockets|trace|units|watch]"
	@echo "make apps       the workloads of apps/, for every MPI that is here"
	@echo "make install    to PREFIX=$(PREFIX)"

bootstrap:
	@tools/bootstrap

build:
	@tools/bootstrap build
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) > build.log 2>&1 || { cat build.log; exit 1; }
	@rm -f build.log
	@ninja -C $(BUILD) --quiet

demo: build
	@tools/demo $(BUILD)/runcast

test: bootstrap
	@tools/run-tests

bench: build
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
	@tools/evaluate $(BUILD)/runcast "$(PART)"

fuzz: bootstrap
	@tools/fuzz "$(TARGET)" "$(SECONDS_EACH)"

install: build
	@meson configure $(BUILD) -Dprefix=$(abspath $(PREFIX))
	@meson install -C $(BUILD)

clean:
	rm -rf build build-*
