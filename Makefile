# make demo: design the embedded project.   make test: everything.   make app / bench / verify.
# make oracles: solve again with pandapower and OpenDSS, and rewrite the data that tests read.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
OUT := out

# make mutants: plant the listed faults one at a time in a copy, and see which the tests notice.
.PHONY: demo test app bench verify mutants oracles system-packages

$(STAMP): requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $(STAMP)

demo: $(STAMP)
	mkdir -p $(OUT)
	$(BIN)/facility design
	$(BIN)/facility export xlsx --out $(OUT)/h100-10k.xlsx --force

# Chromium and LibreOffice are used by the tests that look at the app and the workbook.
system-packages:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  tools/install-system-packages; \
	else echo "not root: tests that need Chromium or LibreOffice run only where they are installed"; fi

test: $(STAMP) system-packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist loadfile -q

app: $(STAMP)
	$(BIN)/facility app

bench: $(STAMP)
	$(BIN)/python -m benchmarks

verify: $(STAMP)
	$(BIN)/facility verify

mutants: $(STAMP)
	$(BIN)/python -m tools.mutants --jobs 2

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
	$(PANDAPOWER) -m tools.oracles.iec60909_pandapower tests/faults/data/pandapower_iec60909.csv
	$(OPENDSS) -m tools.oracles.four_wire_opendss
	$(PANDAPOWER) -m tools.oracles.bench_states_pandapower
	$(OPENDSS) -m tools.oracles.bench_states_opendss
