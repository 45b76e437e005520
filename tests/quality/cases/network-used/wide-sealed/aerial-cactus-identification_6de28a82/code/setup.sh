#!/bin/bash
set -e
pip install -q timm albumentations
W=${W:-weights}
mkdir -p $W
for m in resnet18-f37072fd resnet50-0676ba61; do
  [ -f $W/$m.pth ] || curl -fsSL -o $W/$m.pth https://download.pytorch.org/models/$m.pth
done
ls -lh $W
