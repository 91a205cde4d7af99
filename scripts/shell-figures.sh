#!/usr/bin/env bash
# Prints the figures of docs/shell.md: the tables, the corpora, what a judgement costs.
#   scripts/shell-figures.sh [FOLDER]
# FOLDER holds commands that agents ran: agents.jsonl and its measure.py, with the fixture unpacked where its head says.
set -euo pipefail
cd "$(dirname "$0")/.."
shell=internal/risk/shell
folder=${1-}

rows=$(cat $shell/tables/*.tbl | grep -c '^[^# ]')
names=$(cat $shell/tables/*.tbl | grep -cE '^[^# ]+ += +[^ ]+$')
examples=$(cat $shell/tables/*.tbl $shell/testdata/examples.txt | grep -c ' => ')
echo "tables: $rows rows, $names of them other names; $examples examples; $(grep -c '^	case "' $shell/handle.go) handlers in code"

echo; echo "stacks: harmless commands that are open, writing ones that are refused"
go test -count=1 -v -run TestStacks ./internal/risk | grep -ao '[a-z]*\.txt: .* rows.*' || true

echo; echo "corpus of the repository"
go test -count=1 -v -run TestCorpus ./$shell | grep -ao '\(ALL\|[a-z-]* \) .*writes found.*' || true

if [ -n "$folder" ]; then
  echo; echo "commands that agents ran"
  bin=$(mktemp -d)
  trap 'rm -rf "$bin"' EXIT
  CGO_ENABLED=0 go build -trimpath -o "$bin/mbgate" ./cmd/mbgate
  time python3 "$folder/measure.py" "$bin/mbgate" # of all judgements, with the start of the programs
  wc -l < "$folder/agents.jsonl"
fi

echo; echo "cost"
go test -run '^$' -bench 'Judge|Corpus|Worst' -benchtime "${BENCHTIME:-1x}" ./$shell | grep -aE '^Benchmark|bench_test' || true
