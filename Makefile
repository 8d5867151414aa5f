# Two commands on a fresh machine with Python 3.11, make and gcc:
#   make demo   evaluates a real model and says where the report is
#   make test   installs everything, then lint, format, types and tests
VENV   ?= .venv
PYTHON ?= $(shell command -v python3.11 || command -v python3)
PIP    := $(VENV)/bin/python -m pip --disable-pip-version-check
DEMO   ?= demo-run
COMPILE = $(VENV)/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
          --generate-hashes --no-header --no-annotate --upgrade

.PHONY: demo test lint types fmt lock bench-judging bench-engines bench-embedded bench-experiments bench-annotate bench-writers soak-annotate clean

demo: $(VENV)/.installed
	$(VENV)/bin/homeground demo -o $(DEMO)

test: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/homeground models get smollm2-135m
	$(VENV)/bin/pytest

lint: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy

fmt: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "make: Python 3.11 or newer is needed and was not found" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

# Editable, from the lock, without build isolation: nothing is installed that the lock does not pin.
$(VENV)/.installed: $(VENV)/bin/python requirements.lock pyproject.toml
	$(PIP) install --quiet --requirement requirements.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock
	$(PIP) install --quiet --requirement requirements-dev.lock
	touch $@

# A million short answers; not part of `make test`.
bench-judging: $(VENV)/.installed-dev
	$(VENV)/bin/python benchmarks/judging.py

# The embedded model's plan and modes against each prompt in full; a third of the grid with SHARE=3.
bench-embedded: $(VENV)/.installed-dev
	$(VENV)/bin/homeground models get smollm2-135m
	$(VENV)/bin/python benchmarks/embedded.py --share $(or $(SHARE),1)

# Requests a second of the HTTP engine beside other clients; not part of `make test`.
bench-engines: $(VENV)/.installed-dev
	$(VENV)/bin/python benchmarks/engines.py

# All experiments over 180,000 judgements; not part of `make test`.
bench-experiments: $(VENV)/.installed-dev
	$(VENV)/bin/python -m benchmarks.experiments

# 200 people at a study's pages on SQLite and PostgreSQL; KILL=3 kills the server meanwhile. Not part of `make test`.
bench-annotate: $(VENV)/.installed-dev
	$(VENV)/bin/python -m benchmarks.annotate --kill $(or $(KILL),0)

# 200 people who write and judge questions, on SQLite and on PostgreSQL by either driver; not part of `make test`.
bench-writers: $(VENV)/.installed-dev
	$(VENV)/bin/python -m benchmarks.writers

# The server killed twenty times, on each database, while people write and judge; not part of `make test`.
soak-annotate: $(VENV)/.installed-dev
	HOMEGROUND_KILLS=20 $(VENV)/bin/pytest tests/test_annotate_questions_killed.py

# Pin every version anew, from pyproject.toml.
lock: $(VENV)/bin/python
	$(PIP) install --quiet uv==0.13.9
	$(COMPILE) --group build -o requirements.lock
	$(COMPILE) --group build --group dev --constraint requirements.lock -o requirements-dev.lock

clean:
	rm -rf $(VENV) $(DEMO)
