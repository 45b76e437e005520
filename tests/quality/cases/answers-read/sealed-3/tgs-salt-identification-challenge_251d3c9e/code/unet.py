import numpy as np, pandas as pd, tensorflow as tf, cv2
from tensorflow.keras import layers as L
D = '/home/data/'
tr = pd.read_csv(D + 'train.csv')
X = np.stack([cv2.resize(cv2.imread(f'{D}train/images/{i}.png', 0), (128, 128)) for i in tr.id])[..., None] / 255
Y = np.stack([cv2.resize(cv2.imread(f'{D}train/masks/{i}.png', 0), (128, 128)) for i in tr.id])[..., None] > 127
def block(x, n):
    for _ in 'ab': x = L.LeakyReLU()(L.BatchNormalization()(L.Conv2D(n, 3, padding='same')(x)))
    return x
i = L.Input((128, 128, 1)); x, skip = i, []
for n in (16, 32, 64, 128): x = block(x, n); skip.append(x); x = L.MaxPool2D()(x)
x = block(x, 256)
for n in (128, 64, 32, 16): x = block(L.concatenate([L.UpSampling2D()(x), skip.pop()]), n)
m = tf.keras.Model(i, L.Conv2D(1, 1, activation='sigmoid')(x)); m.compile('adam', 'binary_crossentropy', ['accuracy'])
m.fit(X, Y, 32, 25, validation_split=.1)
