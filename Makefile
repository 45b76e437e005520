# Everything a contributor or CI calls. No logic here: it lives in Python or in .ci/.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
PYTEST := $(BIN)/python -m pytest -n auto
ENOUGH := import sys; sys.version_info >= (3, 11) or sys.exit("mle-audit needs Python 3.11 or newer; $(PYTHON) is " + sys.version.split()[0] + ". Name another: make setup PYTHON=python3.12")

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all quality golden lint format types imports docs docs-check bench bench-familiarity bench-leakage bench-page bench-plagiarism bench-scale compare-mlebench check clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(INSTALLED) ## Create .venv and install everything, pinned; see that the sandbox is there
	@.ci/bubblewrap

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c '$(ENOUGH)'
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[dev]' && touch $@

demo: setup ## Prepare, run, grade and vet on embedded tasks; the report is demo/report/index.html
	$(BIN)/mle-audit demo -o demo

test: setup ## Fast tests
	$(PYTEST)

test-all: setup ## All tests, slow and browser too
	$(PYTEST) -m ""

quality: setup ## Score the detectors on their labelled sets
	@$(BIN)/python -m tests.quality.score

golden: setup ## Rewrite stored expectations, then look at the diff
	$(BIN)/python -m pytest tests/quality tests/contract/test_competitions.py -m "" --update-golden
	@git diff --stat

lint: setup ## Check style, change nothing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

format: setup ## Fix style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: setup ## Check types
	$(BIN)/mypy

imports: setup ## Check that imports go one way
	$(BIN)/lint-imports

docs: setup ## Write the generated pages of docs/
	@$(BIN)/python docs/generate.py

docs-check: setup ## See that the generated pages are up to date
	@$(BIN)/python docs/generate.py --check

bench: setup ## Print speed as ratios to a peer measured in the same run
	@$(BIN)/python -m tests.bench

bench-familiarity: setup ## Score texts by the built-in model, against a plain forward pass: [PEER=PYTHON with lm-eval] [ONLY=forward,peer,memory,whole] [TASKS=checkout of MLE-bench]
	@$(BIN)/python -m tests.bench.familiarity $(if $(PEER),--peer $(PEER)) $(if $(ONLY),--only $(ONLY)) $(if $(TASKS),--descriptions $(TASKS))

bench-leakage: setup ## Find planted leaks, beside other tools: [PEER=PYTHON] [CODE=DIR] [ONLY=rows,columns,order,media,code] [FULL=1]
	@$(BIN)/python -m tests.bench.leakage $(if $(PEER),--peer $(PEER)) $(if $(CODE),--code $(CODE)) $(if $(ONLY),--only $(ONLY)) $(if $(FULL),--full)

bench-page: setup ## Open the page of 225 attempts with 2,000 findings in Chromium
	@$(BIN)/python -m tests.bench.page

bench-plagiarism: setup ## Tell copies from honest code, and how fast: NOTEBOOKS=DIR [SEALED=1] [PEERS=DIR] [SPEED=300]
	@$(BIN)/python -m tests.quality.plagiarism.bench $(NOTEBOOKS) $(if $(SEALED),--sealed) $(if $(PEERS),--peers $(PEERS)) $(if $(SPEED),--speed $(SPEED))

bench-scale: setup ## Ask a corpus of a million made documents: NOTEBOOKS=DIR [DOCUMENTS=1000000] [KEEP=DIR]
	@$(BIN)/python -m tests.bench.scale $(NOTEBOOKS) $(if $(DOCUMENTS),--documents $(DOCUMENTS)) $(if $(KEEP),--keep $(KEEP))

check: lint types imports test docs-check ## What must pass before a commit

clean: ## Remove what was built, .venv too
	rm -rf .venv demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

compare-mlebench: setup ## Compare preparing and grading with a checkout of MLE-bench: MLEBENCH=DIR MLEBENCH_PYTHON=PYTHON.
	$(BIN)/python -m tests.mlebench.compare $(MLEBENCH) --python $(MLEBENCH_PYTHON)
