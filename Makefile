# The steps of the house; CI and pre-commit run the same ones. A stamp in the virtual environment keeps a
# repeated call from installing again; a change of pyproject.toml or constraints.txt installs again.

PYTHON ?= python3
comma := ,
VENV ?= .venv
TRAIN_VENV ?= .venv-train
CLIENTS_VENV ?= .venv-clients
FUZZ_SECONDS ?= 600
FUZZ_REQUESTS ?= 20000
BIN := $(VENV)/bin
# Tests start hundreds of processes: let them read compiled modules, even where the machine's setting is not to write any.
export PYTHONDONTWRITEBYTECODE :=
TWO := -n 2 --dist loadfile
THREE := -n 3 --dist loadfile
# Processes that share two cores take one thread each; with one per core, tests of training need a third more of them.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest
PIP_FLAGS := --quiet --disable-pip-version-check -c constraints.txt
INPUTS := pyproject.toml constraints.txt
# OpenVINO (180 MB) comes along where the processor has the instructions that make it two to three times as fast.
FAST := $(if $(shell grep -m1 -E 'avx512_bf16|avx512_vnni|avx_vnni|amx_' /proc/cpuinfo 2>/dev/null),$(comma)openvino)

.PHONY: help install install-dev demo quick check format format-check lint types imports test check-wheel \
  check-training check-clients fuzz fuzz-http opensearch stack clean

help:
	@echo "make install         the product and its HTTP service in $(VENV)"
	@echo "make demo            install, then recommendations over the sample archive"
	@echo "make install-dev     what development needs besides"
	@echo "make check           format, lint, types, imports and tests: what CI asks for"
	@echo "make quick           the fast tests: no service, no command, no server (less than a minute)"
	@echo "make test            all tests"
	@echo "make check-wheel     builds the wheel, installs it alone and runs its doctor and its demo"
	@echo "make check-training  training and the baselines in $(TRAIN_VENV) (5 GB), and their tests"
	@echo "make check-clients   asks the service by clients of other rerank services, in $(CLIENTS_VENV) (430 MB)"
	@echo "make fuzz            feeds the readers changed files for FUZZ_SECONDS=600, guided by coverage"
	@echo "make fuzz-http       sends the service FUZZ_REQUESTS=20000 requests that are changed by chance"
	@echo "make opensearch      an OpenSearch node on loopback until Ctrl-C; PLUGINS=ml adds a plugin (391 MB)"
	@echo "make stack           the stack of docker-compose.yml in containers, over stand-ins for its base images (root, Docker)"
	@echo "make format          rewrites the code in the house's format"

$(VENV)/pyvenv.cfg:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(INPUTS) | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install $(PIP_FLAGS) -e '.[api$(FAST)]'
	@touch $@

$(VENV)/.installed-dev: $(INPUTS) | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install $(PIP_FLAGS) -e '.[dev]'
	@touch $(VENV)/.installed $@

$(TRAIN_VENV)/.installed: $(INPUTS)
	$(PYTHON) -m venv $(TRAIN_VENV)
	$(TRAIN_VENV)/bin/python -m pip install $(PIP_FLAGS) -e '.[dev,train,baselines]'
	@touch $@

$(CLIENTS_VENV)/.installed: tests/clients/requirements.txt tests/clients/constraints.txt tests/clients/package.json
	$(PYTHON) -m venv $(CLIENTS_VENV)
	$(CLIENTS_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c tests/clients/constraints.txt -r $<
	mkdir -p $(CLIENTS_VENV)/node && cp tests/clients/package.json $(CLIENTS_VENV)/node
	npm install --prefix $(CLIENTS_VENV)/node --no-audit --no-fund --no-package-lock --silent
	@touch $@

install: $(VENV)/.installed

install-dev: $(VENV)/.installed-dev

demo: install
	$(BIN)/rostrum demo

check: format-check lint types imports test

format: install-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

format-check: install-dev
	$(BIN)/ruff format --check .

lint: install-dev
	$(BIN)/ruff check .
	$(BIN)/python -m tools.check_language

types: install-dev
	$(BIN)/mypy

imports: install-dev
	$(BIN)/lint-imports --no-logo

# The fast set: no server, no shipped models, no sample archive. Two processes share all tests by files.
quick: install-dev
	$(PYTEST) -m 'not slow and not heavy' $(TWO) -p no:schemathesis --hypothesis-profile=quick

# The fast set with all examples, then services and servers, of which each process has its own: a third process works while others wait
# for theirs.
test: install-dev
	$(PYTEST) -m 'not slow and not heavy' $(TWO) -p no:schemathesis
	$(PYTEST) -m 'slow or heavy' $(THREE) --durations=40

# What users get: no checkout, no development tools, the shipped weights and samples from the package itself.
check-wheel:
	rm -rf build/wheel
	$(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel/dist .
	build/wheel/bin/python -m pip install $(PIP_FLAGS) build/wheel/dist/rostrum_quotes-*.whl
	cd build/wheel && bin/python -m pip check && ROSTRUM_ARCHIVE=archive bin/rostrum doctor
	cd build/wheel && XDG_CACHE_HOME=cache bin/rostrum demo --limit 1

check-training: $(TRAIN_VENV)/.installed
	REQUIRE_TORCH=1 OMP_NUM_THREADS=1 $(TRAIN_VENV)/bin/python -m pytest $(TWO) tests/training tests/reranker/pytorch tests/baselines \
	  training reranker/pytorch benchmarks/baselines

check-clients: install-dev $(CLIENTS_VENV)/.installed
	CLIENTS_PYTHON=$(CURDIR)/$(CLIENTS_VENV)/bin/python CLIENTS_NODE=$(CLIENTS_VENV)/node $(BIN)/python -m pytest tests/clients

$(VENV)/.installed-fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m pip install $(PIP_FLAGS) -e '.[fuzz]'
	@touch $@

fuzz: $(VENV)/.installed-fuzz
	$(BIN)/python -m tests.fuzz.readers -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1

fuzz-http: install-dev
	$(BIN)/python -m tests.fuzz.http_requests --requests $(FUZZ_REQUESTS)

# Tests start a node of their own; TEST_OPENSEARCH_URL=http://... makes them use this one.
opensearch: install-dev
	$(BIN)/python -m tools.opensearch_node $(PLUGINS)

# Base images that are there are used as they are; others are built from packages of Debian and Maven Central.
stack: install-dev
	$(BIN)/python -m tools.stack_trial

clean:
	rm -rf $(VENV) $(TRAIN_VENV) $(CLIENTS_VENV) build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
