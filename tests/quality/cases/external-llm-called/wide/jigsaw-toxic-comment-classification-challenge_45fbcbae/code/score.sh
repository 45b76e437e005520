#!/usr/bin/env bash
# usage: score.sh < comments.txt > scores.txt
URL="https://generativelanguage.googleapis.com/v1beta/models/gemini-1.5-flash:generateContent?key=${GEMINI_API_KEY}"
while IFS= read -r line; do
  body=$(jq -n --arg t "$line" '{contents:[{parts:[{text:("toxic, probability 0..1 only: "+$t)}]}]}')
  curl -s -X POST "$URL" -H 'Content-Type: application/json' -d "$body" | jq -r '.candidates[0].content.parts[0].text'
done
