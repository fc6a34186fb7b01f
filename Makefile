# Two commands do all the set-up: `make run` starts the lab, `make test` runs the whole suite.
PYTHON ?= python3
BIN := .venv/bin
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
endif
DEBIAN := libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 fonts-dejavu-core

.PHONY: run test bench clean

run: .venv/run-ready
	$(BIN)/python main.py --tour tour

test: .venv/test-ready
	OMP_NUM_THREADS=2 QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest

bench: .venv/test-ready
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[bench]'
	for file in tests/bench/[a-z]*.py; do $(BIN)/python -m tests.bench.$$(basename $$file .py); done

.venv/run-ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q -c constraints.txt -e .
	touch $@

.venv/test-ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[test]'
	@if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && ! dpkg -s $(DEBIAN) >/dev/null 2>&1; then \
		apt-get update -q && apt-get install -y -q --no-install-recommends $(DEBIAN); fi
	touch $@

clean:
	rm -rf .venv build dist *.egg-info tour
