# `make demo` and `make test` work on a fresh clone with Python 3.11+ alone: they make .venv themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
RUN := runs/demo
RAY_VENV := .venv-ray
# torch and stable-baselines3 take 1.5 GB, so their venv stays in the user's cache from clone to clone. This version of
# torch is one that comes for the processor alone where this project is built; set TORCH to take another.
RL_VENV ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/siturec-gym/venv-rl
TORCH ?= torch==2.13.0
TORCHVISION ?= torchvision==0.28.0
# So does that of a real vLLM server for the processor alone, 2.5 GB.
VLLM_VENV ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/siturec-gym/venv-vllm
JOBS ?= auto

# Tests that need more than the package: other libraries of statistics, and a browser with its driver.
CHECKS := .venv-checks
CHECKED := $(CHECKS)/.installed

.PHONY: demo test test-long test-clock test-ray test-rl test-hf test-vllm vllm-env test-reference test-browser check format clean

demo: $(INSTALLED)
	rm -rf $(RUN)
	$(BIN)/siturec run --env SituRec-Supermarket-v0 --assistant heuristic --user agenda --tasks 0:20 --save-frames --out $(RUN)
	@echo "next: $(BIN)/siturec report $(RUN)"

test: $(INSTALLED)
	$(BIN)/python -m pytest -n $(JOBS)

test-reference: $(CHECKED)
	$(CHECKS)/bin/python -m pytest -m reference tests/reference

test-browser: $(CHECKED)
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null \
	  || { echo "Chromium and its driver are needed: apt-get install chromium chromium-driver"; exit 1; }
	$(CHECKS)/bin/python -m pytest -m browser tests/browser

# What takes minutes: runs that are killed at random moments, servers that misbehave a thousand times.
test-long: $(INSTALLED)
	$(BIN)/python -m pytest -m long -n $(JOBS) --deselect tests/evaluation/test_concurrency.py

# What is held against a clock, so nothing else should run meanwhile.
test-clock: $(INSTALLED)
	$(BIN)/python -m pytest -m long tests/evaluation/test_concurrency.py

# The runner on a real Ray cluster of this machine. Ray is large, so it has a venv of its own.
test-ray: $(RAY_VENV)/.installed
	$(RAY_VENV)/bin/python -m pytest -m ray tests/evaluation/test_ray.py

# Training with stable-baselines3: twenty thousand turns that must beat chance, in a few minutes.
test-rl:
	test -x $(RL_VENV)/bin/python || $(PYTHON) -m venv $(RL_VENV)
	$(RL_VENV)/bin/python -m pip install --quiet --disable-pip-version-check '$(TORCH)'
	$(RL_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[rl,dev]'
	$(RL_VENV)/bin/python -m pytest -m rl tests/wrappers

# Tiny models with random weights in this process, through whole episodes; in the venv of the learners, which has torch.
test-hf:
	test -x $(RL_VENV)/bin/python || $(PYTHON) -m venv $(RL_VENV)
	$(RL_VENV)/bin/python -m pip install --quiet --disable-pip-version-check '$(TORCH)'
	$(RL_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps '$(TORCHVISION)'
	$(RL_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[rl,hf,dev]'
	HF_HUB_OFFLINE=1 $(RL_VENV)/bin/python -m pytest -m hf tests/llm tests/evaluation

# A real vLLM server on loopback: tiny random models play whole episodes through it.
vllm-env:
	@$(PYTHON) tests/support/vllm_env.py $(VLLM_VENV)

test-vllm: $(INSTALLED) vllm-env
	SITUREC_VLLM_VENV=$(VLLM_VENV) $(BIN)/python -m pytest -m vllm tests/llm tests/evaluation

check: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/siturec assets verify

format: $(INSTALLED)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) $(CHECKS) $(RAY_VENV) runs .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

$(CHECKED): pyproject.toml
	test -x $(CHECKS)/bin/python || $(PYTHON) -m venv $(CHECKS)
	$(CHECKS)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,reference,browser]'
	touch $@

$(RAY_VENV)/.installed: pyproject.toml
	test -x $(RAY_VENV)/bin/python || $(PYTHON) -m venv $(RAY_VENV)
	$(RAY_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[ray]' pytest hypothesis
	touch $@
