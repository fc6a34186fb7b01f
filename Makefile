# Two commands do all the set-up: `make run` starts the lab, `make test` runs the whole suite.
PYTHON ?= python3
BIN := .venv/bin
ifeq ($(OS),Windows_NT)
PYTHON := py -3
BIN := .venv/Scripts
endif
# What Qt asks of a bare Debian or Ubuntu, and a font to draw with.
DEBIAN := libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0 fonts-dejavu-core

.PHONY: run test bench torture clean

run: .venv/run-ready
	$(BIN)/python main.py --tour tour

test: export OMP_NUM_THREADS = 2
test: export QT_QPA_PLATFORM = offscreen
test: .venv/test-ready
	$(BIN)/python -m pytest

bench: .venv/test-ready
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[bench]'
	for file in tests/bench/[a-z]*.py; do $(BIN)/python -m tests.bench.$$(basename $$file .py) || exit 1; done

torture: .venv/test-ready
	$(BIN)/python -m tests.torture

.venv/made:
	$(PYTHON) -m venv .venv || { echo "On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && ! dpkg -s $(DEBIAN) >/dev/null 2>&1; then \
		apt-get update -q && apt-get install -y -q --no-install-recommends $(DEBIAN); fi
	touch $@

.venv/run-ready: .venv/made pyproject.toml constraints.txt
	$(BIN)/python -m pip install -q -c constraints.txt -e .
	touch $@

.venv/test-ready: .venv/made pyproject.toml constraints.txt
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[test]'
	touch $@ .venv/run-ready

clean:
	rm -rf .venv build dist *.egg-info tour
