import json, cv2, pandas as pd
d = pd.read_csv('/home/data/train.csv').dropna()
for name, part in (('train', d[:-300]), ('val', d[-300:])):
    im, an = [], []
    for k, r in enumerate(part.itertuples()):
        h, w = cv2.imread(f'/home/data/train_images/{r.image_id}.jpg').shape[:2]; im.append(dict(id=k, file_name=r.image_id + '.jpg', height=h, width=w))
        t = r.labels.split()
        for i in range(0, len(t), 5): x, y, bw, bh = map(int, t[i+1:i+5]); an.append(dict(id=len(an), image_id=k, category_id=0, bbox=[x, y, bw, bh], area=bw * bh, iscrowd=0))
    json.dump(dict(images=im, annotations=an, categories=[dict(id=0, name='char')]), open(f'coco/{name}.json', 'w'))
