# A fresh machine needs Python 3.11 to 3.13 with venv, and make; everything else is installed here.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test test-browser check bench clean

demo: $(VENV)/demo.stamp
	@$(BIN)/promptdag compose theway inputs/examples/theway.json --here . --table

test: $(VENV)/test.stamp
	$(BIN)/python -m pytest

test-browser: $(VENV)/browser.stamp
	$(BIN)/python -m pytest tests/browser

check: $(VENV)/check.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright
	.ci/types

bench: $(VENV)/test.stamp
	$(BIN)/python tests/benchmarks/bench_compose.py

clean:
	rm -rf $(VENV) build *.egg-info

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
		|| { echo "promptdag needs Python 3.11 to 3.13: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --editable .
	@touch $@

$(VENV)/test.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --editable '.[test]'
	@touch $@ $(VENV)/demo.stamp

$(VENV)/browser.stamp: pyproject.toml | $(BIN)/python
	.ci/browser
	$(BIN)/pip install --quiet --editable '.[test,browser]'
	@touch $@ $(VENV)/test.stamp $(VENV)/demo.stamp

$(VENV)/check.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --editable '.[test,check]'
	@touch $@ $(VENV)/test.stamp $(VENV)/demo.stamp
