# `make demo` and `make test` work on a fresh clone with Python 3.11+ alone: they make .venv themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
RUN := runs/demo
JOBS ?= auto

.PHONY: demo test check format clean

demo: $(INSTALLED)
	rm -rf $(RUN)
	$(BIN)/siturec run --env SituRec-Supermarket-v0 --assistant heuristic --user agenda --tasks 0:20 --save-frames --out $(RUN)

test: $(INSTALLED)
	$(BIN)/python -m pytest -n $(JOBS)

check: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/siturec assets verify

format: $(INSTALLED)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) runs .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
