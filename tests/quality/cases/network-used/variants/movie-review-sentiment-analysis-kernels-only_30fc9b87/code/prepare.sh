#!/bin/bash
set -e
mkdir -p /tmp/lex
jq -r '.[] | "\(.name) \(.from)"' manifest.json | while read -r name src; do
  [ -s "/tmp/lex/$name" ] || curl -fsSL "$src" -o "/tmp/lex/$name"
  wc -l "/tmp/lex/$name"
done
