# make demo: design the embedded project, write its workbook and its set of sheets.   make app / bench / verify.
# make test: ruff, mypy and the tests that decide, in ten minutes on two processors.
# make long-tests: those in a browser, with LibreOffice or PostgreSQL, of the wheel, and those that
#   tests/nightly.csv names or are marked nightly. ONE_IN=20 SEED=7: fewer of them.
# make soak: thousands of random projects and hostile inputs: what breaks, what is refused.
# make golden: print what the recorded projects answer anew, and record it.
# make nightly: what is too long for make test, in an hour; goes on after a part that fails.
#   make nightly-sample: five minutes of it, cases chosen by COMMIT (default: the last one).
# make mutants: plant the listed faults one at a time in a copy, and report which tests catch them:
#   known values, other tests, or only the record. ONLY="ups-* fuel-*" or SAMPLE=20 SEED=7: fewer.
# make same BASE=<commit>: does this tree answer as that commit did (see CONTRIBUTING.md).
# make house: how long the code is, how finely it is cut, what a design enters.
# make inputs: write JSON Schema, table and page of the inputs, and type stubs, from declarations.
# make docs: the documentation as a site, with a page of every equation, input, rule and error.
# make coverage: the whole suite once more, slower, and which lines and branches it never ran.
# make next-pint: the fast tests of units with the next minor version of pint; a warning, no verdict.
# make requirements: pin anew, with hashes, what pyproject.toml asks for.
# make oracles: solve again with pandapower and OpenDSS, and rewrite the data that tests read.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT := out
# Each file of requirements holds the one before it: runtime, then app, then dev (with sweep
# and postgresql).
RUNTIME := $(VENV)/.installed-runtime
APP := $(VENV)/.installed-app
DEV := $(VENV)/.installed-dev

# Compiled code is kept even where the shell says otherwise: hundreds of processes of the suite load it.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo house test long-tests coverage next-pint app bench verify docs soak golden nightly nightly-sample mutants same inputs requirements oracles system-packages
.SECONDARY:

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# pip would compile all of it, one file after the other; what is imported is compiled then.
$(VENV)/.installed-%: requirements-%.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --no-compile --require-hashes --requirement $<
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q facility
	touch $@

demo: $(RUNTIME)
	mkdir -p $(OUT)
	$(BIN)/facility design
	$(BIN)/facility export xlsx --out $(OUT)/h100-10k.xlsx --force
	$(BIN)/facility issue --out $(OUT)/h100-10k --force

PINS := $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header --no-annotate

requirements: $(DEV)
	$(BIN)/python -m pip install --quiet pip-tools==7.6.2
	$(PINS) --extra build --extra documents -o requirements-runtime.txt pyproject.toml
	$(PINS) --extra build --extra app --extra documents -o requirements-app.txt pyproject.toml
	$(PINS) --extra build --extra app --extra postgresql --extra sweep --extra documents \
	  --extra dev -o requirements-dev.txt pyproject.toml

# Chromium, LibreOffice and PostgreSQL are used by the tests of the app, the workbook and the store.
system-packages:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  tools/install-system-packages; \
	else echo "not root: tests that need Chromium or LibreOffice run only where they are installed"; fi

LONG := browser or libreoffice or postgresql or promtool or wheel or nightly

test: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
# mypy goes on beside the tests and is told after them.
	@$(BIN)/mypy >$(VENV)/mypy.txt 2>&1 & typed=$$!; \
	$(BIN)/python -m pytest -n 2 --dist loadfile -q -m "not ($(LONG))"; tested=$$?; \
	wait $$typed; typed=$$?; cat $(VENV)/mypy.txt; exit $$((tested + typed))

# A third process: those of the browser wait more than they compute.
long-tests: $(DEV) system-packages
	$(BIN)/python -m pytest -n 3 --dist loadfile -q -m "$(LONG)" \
	  $(if $(ONE_IN),--one-in $(ONE_IN) --seed $(or $(SEED),0))

coverage: $(DEV)
	mkdir -p $(OUT)/coverage
	$(BIN)/coverage run -m pytest -n 2 --dist loadfile -q -m "not wheel"
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

# Beside the pinned one, not in its place. Nothing newer published, or a failure: said, exit 0.
NEXT := $(OUT)/next-pint
next-pint: $(DEV)
	rm -rf $(NEXT)
	mkdir -p $(OUT)
	@$(BIN)/python -m pip install --quiet --pre --no-deps --target $(NEXT) 'pint>=0.26' 2>$(OUT)/next.log \
	  || { echo "pint: no minor version newer than the one pinned"; exit 0; }; \
	PYTHONPATH=$(NEXT) $(BIN)/python -m pytest -q -n 0 tests/core tests/library \
	  || echo "WARNING: the next minor version of pint does not hold; see above"

app: $(APP)
	$(BIN)/facility app

bench: $(DEV)
	$(BIN)/python -m benchmarks

verify: $(RUNTIME)
	$(BIN)/facility verify

docs: $(DEV)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m tools.docs $(OUT)/docs

soak: $(DEV)
	$(BIN)/python -m tests.soak --count 5000
	$(BIN)/python -m tests.soak.hostile --count 5000

golden: $(DEV)
	$(BIN)/python -m tests.golden

# What it runs is listed in tools/nightly.py: bill of materials (out/sbom.cdx.json), advisories on the
# pins, documentation, long tests, random and hostile projects, a sample of mutants.
nightly: $(DEV)
	$(BIN)/python -m tools.nightly

COMMIT ?= $(shell git rev-parse HEAD)
nightly-sample: $(DEV)
	$(BIN)/python -m tools.nightly --sample $(COMMIT)

mutants: $(DEV)
	$(BIN)/python -m tools.mutants --jobs 2 $(foreach one,$(ONLY),--only "$(one)") $(if $(SAMPLE),--sample $(SAMPLE) --seed $(or $(SEED),0))

house: $(DEV)
	$(BIN)/python -m tools.house

# BASE: the commit to compare with. CASES: a folder with projects/*.yaml and panels/*.csv.
# QUICK=1: fewer cases and questions. EXACT=1: floats equal to the bit.
BASE ?= HEAD
CASES ?=
SAME := $(BIN)/python -m tools.same --jobs 2

same: $(DEV)
	$(SAME) --base $(BASE) --cases "$(CASES)" \
	  $(if $(filter 1,$(QUICK)),--quick) $(if $(filter 1,$(EXACT)),--exact)

inputs: $(DEV)
	$(BIN)/python -m facility.model.inputs.schema
	$(BIN)/python -m tools.stubs

ORACLES := .oracles
PANDAPOWER := $(ORACLES)/pandapower/bin/python
OPENDSS := $(ORACLES)/opendss/bin/python

$(ORACLES)/%/.installed: tools/oracles/requirements-%.txt
	$(PYTHON) -m venv $(ORACLES)/$*
	$(ORACLES)/$*/bin/python -m pip install --quiet --requirement $<
	touch $@

oracles: $(ORACLES)/pandapower/.installed $(ORACLES)/opendss/.installed
	$(PANDAPOWER) -m tools.oracles.network_190
	$(PANDAPOWER) -m tools.oracles.radial_pandapower
	$(PANDAPOWER) -m tools.oracles.iec60909_pandapower tests/power/faults/data/pandapower_iec60909.csv
	$(OPENDSS) -m tools.oracles.four_wire_opendss
	$(PANDAPOWER) -m tools.oracles.bench_states_pandapower
	$(OPENDSS) -m tools.oracles.bench_states_opendss
