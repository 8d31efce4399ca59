#!/bin/sh
# Lints a synthesized template with cfn-lint, which is installed once into .headrace/tools.
# Usage: test/templates/cfn-lint.sh <template.json>
set -eu

version=1.58.0
root=$(cd "$(dirname "$0")/../.." && pwd)
tools=$root/.headrace/tools/cfn-lint-$version

if [ ! -f "$tools/ready" ]; then
  python3 -m venv --clear "$tools"
  "$tools/bin/python" -m pip install --quiet --disable-pip-version-check "cfn-lint==$version" >&2
  touch "$tools/ready"
fi

# W3005: CDK lets every function depend on its role, which the function names anyway.
exec "$tools/bin/cfn-lint" --ignore-checks W3005 --non-zero-exit-code warning --template "$1"
