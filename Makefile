# Every command sets up what it needs and reinstalls nothing on a second run.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps

.PHONY: run screenshots demo test prove bench check format clean help
.DEFAULT_GOAL := help

help:
	@echo "make run         the window"
	@echo "make screenshots pictures of every page in every state, in build/screenshots/"
	@echo "make demo    a complete guided session on the lab; its PDF, scripts and session file stand in demo/"
	@echo "make test    the tests"
	@echo "make check   format, lint, types, import contracts"
	@echo "make prove   the long proofs"
	@echo "make bench   the budgets, as ratios"

$(VENV)/.runtime: packaging/requirements.txt packaging/system_packages.sh
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Replitune needs Python 3.11 or newer: run make PYTHON=python3.11 (or later).")'
	@packaging/system_packages.sh
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) -r packaging/requirements.txt
	@touch $@

$(VENV)/.test: $(VENV)/.runtime packaging/requirements-test.txt
	@$(PIP) -r packaging/requirements-test.txt
	@touch $@

run: $(VENV)/.runtime
	@$(BIN)/python -m app

screenshots: $(VENV)/.test
	@$(BIN)/python -m tests.ui.screenshots --out build/screenshots

demo: $(VENV)/.runtime
	@$(BIN)/python -m app demo --out demo

check: $(VENV)/.test
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/lint-imports --no-cache

format: $(VENV)/.test
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

test: $(VENV)/.test
	@$(BIN)/python -m pytest -n 2 -m "not prove and not bench" tests

prove: $(VENV)/.test
	@$(BIN)/python -m pytest -n 2 -m prove -rP tests

bench: $(VENV)/.test
	@$(BIN)/python -m pytest -m bench -rP tests

clean:
	@rm -rf $(VENV) demo build dist
