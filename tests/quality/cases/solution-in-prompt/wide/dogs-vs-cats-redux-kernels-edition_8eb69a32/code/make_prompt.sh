#!/bin/bash
# prompt = instructions + description + notes
cat instructions.txt "$1/description.md" > prompt.txt
[ -f notes/$2.txt ] && cat notes/$2.txt >> prompt.txt
