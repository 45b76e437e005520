import argparse
import segmentation_models_pytorch as smp
from salt import loaders, train
ap = argparse.ArgumentParser(); ap.add_argument("--fold", type=int); a = ap.parse_args()
m = smp.Unet("resnet34", encoder_weights="imagenet", in_channels=3, classes=1, decoder_attention_type="scse").cuda()
train(m, *loaders("/home/data", a.fold, bs=32), epochs=14, loss=smp.losses.LovaszLoss("binary"))
