import pandas as pd, numpy as np
from PIL import Image
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
NAMES = ['Black-grass', 'Charlock', 'Cleavers', 'Common Chickweed', 'Common wheat', 'Fat Hen', 'Loose Silky-bent', 'Maize', 'Scentless Mayweed', 'Shepherds Purse', 'Small-flowered Cranesbill', 'Sugar beet']
NUMBER = {s: i for i, s in enumerate(NAMES)}
WEIGHT = {0: 1.6, 1: 1.0, 4: 1.7, 6: 0.7}


def histogram(f):
    a = np.asarray(Image.open(f).convert('HSV').resize((96, 96)))
    return np.concatenate([np.histogram(a[..., c], 32, (0, 255))[0] for c in range(3)])


train = pd.read_csv('./input/train.csv')
test = pd.read_csv('./input/sample_submission.csv')
X = np.stack([histogram(f'./input/train/{f}') for f in train['file']])
y = train['species'].map(NUMBER)
m = LogisticRegression(max_iter=500, class_weight={i: WEIGHT.get(i, 1.0) for i in range(12)})
print('cv', cross_val_score(m, X, y, cv=4).mean().round(4))
m.fit(X, y)
test['species'] = [NAMES[i] for i in m.predict(np.stack([histogram(f'./input/test/{f}') for f in test['file']]))]
test.to_csv('/workspace/submission.csv', index=False)
