SHELL := /bin/bash
.DEFAULT_GOAL := help

## Debian packages that building and testing need; see README.md for what each is for.
APT_PACKAGES := libopencv-dev libjpeg-dev libpng-dev libyaml-dev libexpat1-dev
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## install the Debian packages that are missing
	@missing=""; for p in $(APT_PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then $(SUDO) apt-get update -q && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing; fi

.PHONY: build
build: setup ## build all in debug mode
	swift build --build-tests

.PHONY: test
test: setup ## run all tests
	swift test

.PHONY: lint
lint: ## check the layout of the Swift sources
	swift format lint --strict --recursive Package.swift Sources Tests
