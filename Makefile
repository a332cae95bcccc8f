# Every command sets up what it needs and reinstalls nothing on a second run.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes

.PHONY: compiled run texts screenshots demo quick test test-costs plant-faults prove prove-all fuzz bench package windows-check check types style format clean help
.DEFAULT_GOAL := help

help:
	@echo "make run         the window"
	@echo "make screenshots pictures of every page in every state, in build/screenshots/"
	@echo "make demo    a complete guided session on the lab; its PDF, scripts and session file stand in demo/"
	@echo "make quick   what the change since the last commit concerns, within a minute; SINCE=main names another commit"
	@echo "make test    the tests"
	@echo "make test-costs  the tests, keeping what each costs in processor time, which make quick chooses by"
	@echo "make check   format, lint, types, import contracts, all T-SQL through Microsoft's parser, all texts for Oracle through two"
	@echo "make texts   bring the catalogue of texts up to date; says what is untranslated, obsolete or broken"
	@echo "make plant-faults  which tests find faults planted in a copy: N=12 SEED=1, THROUGH=test lets all of make test look"
	@echo "make prove   the long proofs, at a ninth of the places; which, follows from the commit (PART=2 names it)"
	@echo "make prove-all  the long proofs at all places, before a release"
	@echo "make fuzz    the long proofs with spoiled files, on new examples each time"
	@echo "make bench   the budgets, as ratios"
	@echo "make package the program as one folder for laptops without Python, in dist/replitune/, proved"
	@echo "make windows-check  the program for Windows, built and run under Wine in build/windows/ (Debian, root); kept for the"
	@echo "             next run: Debian, Python, wheels, and the frozen programs while nothing in them changes;"
	@echo "             make windows-check ROWS='\"demo\" \"window\"' shows only these rows"

$(VENV)/.runtime: $(addprefix packaging/,requirements.txt requirements-build.txt requirements-cx_oracle.txt system_packages.sh cx_oracle.sh)
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Replitune needs Python 3.11 or newer: run make PYTHON=python3.11 (or later).")'
	@packaging/system_packages.sh
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@packaging/cx_oracle.sh $(BIN)/python & built=$$!; $(PIP) -r packaging/requirements.txt && wait $$built
	@touch $@

$(VENV)/.test: $(VENV)/.runtime packaging/requirements-test.txt
	@packaging/system_packages.sh tests
	@$(PIP) -r packaging/requirements-test.txt
	@touch $@

run: $(VENV)/.runtime
	@$(BIN)/python -m app

screenshots: $(VENV)/.test
	@$(BIN)/python -m tests.ui.screenshots --out build/screenshots

demo: $(VENV)/.runtime
	@$(BIN)/python -m app demo --out demo

# mypy has one core to itself.
check: $(VENV)/.test
	@$(MAKE) --no-print-directory --jobs=2 types style

types: $(VENV)/.test
	@$(BIN)/mypy

style: $(VENV)/.test
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/lint-imports --no-cache
	@$(BIN)/python -m pytest -q -rs -n 2 --dist worksteal -m "tsql or plsql" tests/tsql tests/plsql

format: $(VENV)/.test
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

# Tests start the program hundreds of times, and each of their processes loads all of them: what is compiled is kept,
# also where Python is told not to.
compiled: $(VENV)/.test
	@$(BIN)/python -m compileall -q app

quick: $(VENV)/.test
	@$(BIN)/python -m tests.quick $(if $(SINCE),--since=$(SINCE))

# Three workers on two cores: tests wait for programs and time limits a part of their time; more only wait for each other.
test: compiled
	@$(BIN)/python -m pytest -n 3 --dist worksteal -m "not prove and not bench and not tsql and not plsql" tests

test-costs: compiled
	@mkdir -p build
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not prove and not bench and not tsql and not plsql" \
		-p tests.processor_time --processor-times build/processor_times.jsonl tests
	@$(BIN)/python -m tests.quick --keep-costs build/processor_times.jsonl

plant-faults: compiled
	@$(BIN)/python -m tests.plant_faults $(if $(N),--count=$(N)) $(if $(SEED),--seed=$(SEED)) $(if $(THROUGH),--through=$(THROUGH)) $(if $(KEEP),--keep=$(KEEP))

prove: compiled
	@$(BIN)/python -m pytest -n 3 --dist worksteal -m prove -rPfE --show-capture=stdout --durations=20 $(if $(PART),--part=$(PART)) tests

prove-all: compiled
	@$(BIN)/python -m pytest -n 3 --dist worksteal -m prove -rPfE --show-capture=stdout --durations=20 --prove-all --timeout=7200 tests

fuzz: $(VENV)/.test
	@$(BIN)/python -m pytest -n 2 --dist worksteal --hypothesis-profile new -m prove --prove-all tests/e2e/test_fuzz.py tests/store/test_fuzz.py

bench: $(VENV)/.test
	@$(BIN)/python -m pytest -m bench -rP tests

$(VENV)/.package: $(VENV)/.runtime packaging/requirements-package.txt
	@$(PIP) -r packaging/requirements-package.txt
	@touch $@

package: $(VENV)/.package
	@PYTHONPATH=. $(BIN)/python packaging/licences.py
	@PYTHONPATH=. $(BIN)/python packaging/version_info.py
	@$(BIN)/python packaging/icons.py
	@$(BIN)/python -m PyInstaller --noconfirm --log-level ERROR --distpath dist --workpath build/pyinstaller packaging/replitune.spec
	@$(BIN)/python packaging/smoke.py

windows-check: $(VENV)/.runtime
	@packaging/windows_check/run.sh $(ROWS)

texts: $(VENV)/.runtime
	@$(BIN)/python packaging/texts.py extract

clean:
	@rm -rf $(VENV) demo build dist
