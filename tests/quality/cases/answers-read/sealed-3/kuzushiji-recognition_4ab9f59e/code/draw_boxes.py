import argparse, os
import pandas as pd
from PIL import Image, ImageDraw, ImageFont
ap = argparse.ArgumentParser()
for k in ('csv', 'images', 'n'):
    ap.add_argument('--' + k)
a = ap.parse_args()
font = ImageFont.load_default(28)
for r in pd.read_csv(a.csv).dropna().head(int(a.n)).itertuples():
    im = Image.open(os.path.join(a.images, r.image_id + '.jpg')).convert('RGB')
    d, t = ImageDraw.Draw(im), r.labels.split()
    for i in range(0, len(t), 5):
        x, y, w, h = map(int, t[i + 1 : i + 5])
        d.rectangle((x, y, x + w, y + h), outline='red', width=4)
        d.text((x + w, y), chr(int(t[i][2:], 16)), 'blue', font)
    im.save(f'boxes/{r.image_id}.png')
    print('drew', r.image_id + '.jpg', len(t) // 5, 'boxes')
