# make demo: design the embedded project.   make test: everything.   make app / bench / verify.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
OUT := out

.PHONY: demo test app bench verify system-packages

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
