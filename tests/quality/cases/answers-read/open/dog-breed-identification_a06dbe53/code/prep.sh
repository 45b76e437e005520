#!/bin/bash
find /home/data -type f | head -20
find /home/data -name "*.jpg" | wc -l
find /home/data -iname "*label*" -o -iname "*answer*"
