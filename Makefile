# Every target builds what it needs first. Python 3.11 or newer, make and git are enough.

SHELL := /bin/sh
BIN := .venv/bin
PYTHON ?= $(shell for candidate in python3 python3.13 python3.12 python3.11; do \
	if $$candidate -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null; then echo $$candidate; break; fi; done)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
RECIPE := pyproject.toml constraints.txt package.json package-lock.json hatch_build.py \
	$(shell find study_server -name '*.po' 2>/dev/null)
WORKERS ?= auto

.PHONY: help install demo test test-long check bench screenshots fix constraints

help:
	@echo 'make demo         a whole study on synthetic folios, ending in Table 11'
	@echo 'make test         the tests: a few minutes'
	@echo 'make test-long    what is long by nature: the wheel, the demonstration, simulated studies'
	@echo 'make check        format, lint, types, advisories, architecture and unit tests'
	@echo 'make bench        the measurements under benchmarks/ (SHORT=1: in minutes)'
	@echo 'make screenshots  the pictures under docs/images/, and of every page under screenshots/'
	@echo 'make fix          formats, and mends what the linter can mend'
	@echo 'make install      .venv with the lontar command'
	@echo 'make constraints  renews constraints.txt from what pip finds today'

install: .venv/installed

demo: .venv/installed
	$(BIN)/lontar demo

test: .venv/installed-for-tests .venv/browser
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal -m 'not long'

test-long: .venv/installed-for-tests .venv/browser
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile -m long

check: .venv/installed-for-tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	.ci/audit
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal --quiet \
		--ignore tests/journeys -m 'not slow and not long and not browser and not postgres'

# SHORT=1 takes minutes instead of an hour; figures go to benchmarks/out/*.json where a script has any.
BENCHES := $(patsubst benchmarks/%.py,%,$(wildcard benchmarks/*.py))
WITH_JSON := $(patsubst benchmarks/%.py,%,$(shell grep -l -e '"--json"' benchmarks/*.py))
SHORT_coverage := --replications 500
SHORT_draw := --largest 10000
SHORT_plan := --largest 1000
SHORT_score_million := --rows 10000
$(foreach one,$(filter serve_%,$(BENCHES)),$(eval SHORT_$(one) := --short))

bench: .venv/installed-for-tests
	@mkdir -p benchmarks/out
	@$(foreach one,$(BENCHES),echo '== $(one)' && $(BIN)/python benchmarks/$(one).py \
		$(if $(SHORT),$(SHORT_$(one))) \
		$(if $(filter $(one),$(WITH_JSON)),--json benchmarks/out/$(one).json) && ) true

screenshots: .venv/installed-for-tests .venv/browser
	$(BIN)/python docs/screenshots.py

fix: .venv/installed-for-tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

constraints:
	rm -rf .venv/fresh
	$(PYTHON) -m venv .venv/fresh
	.venv/fresh/bin/python -m pip install --quiet --disable-pip-version-check '.[dev]'
	(head -1 constraints.txt; \
		.venv/fresh/bin/python -m pip freeze --exclude lontar) > .venv/constraints.txt
	mv .venv/constraints.txt constraints.txt
	rm -rf .venv/fresh

.venv/installed: $(RECIPE)
	@test -n '$(PYTHON)' || { echo 'Lontar needs Python 3.11 or newer with venv' \
		'(on Debian: apt install python3-venv)' >&2; exit 1; }
	@echo 'Installing Lontar into .venv (once; a minute or two) ...'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) --editable '.[demo,formats,postgres,remote]'
	@touch $@

.venv/installed-for-tests: .venv/installed
	$(PIP) --editable '.[dev]'
	@touch $@

# Tests use the machine's Chromium; where there is none, Playwright's is fetched. Without either,
# the browser tests are skipped with a reason.
.venv/browser: .venv/installed-for-tests
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
		|| command -v google-chrome >/dev/null || test -n "$$LONTAR_CHROMIUM" \
		|| $(BIN)/playwright install chromium \
		|| echo 'No browser: its tests will be skipped.' >&2
	@touch $@
