import os

import numpy as np
import pandas as pd
import tensorflow as tf
from sklearn.model_selection import train_test_split
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
tf.keras.utils.set_random_seed(91)
DATA, SIZE, BATCH = "/kaggle/input/plant-seedlings-classification", 96, 64
train = pd.read_csv(os.path.join(DATA, "train.csv"))
test = pd.read_csv(os.path.join(DATA, "sample_submission.csv"))
labels, classes = pd.factorize(train["species"], sort=True)


def read(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (SIZE, SIZE)) / 255.0


def paths(frame, folder):
    return [os.path.join(DATA, folder, f"{i}.jpg") for i in frame["file"]]


def dataset(files, y=None):
    ds = tf.data.Dataset.from_tensor_slices(files).map(read, num_parallel_calls=4)
    if y is not None:
        ds = tf.data.Dataset.zip((ds, tf.data.Dataset.from_tensor_slices(y)))
    return ds.batch(BATCH).prefetch(2)


files = np.array(paths(train, "train"))
f_train, f_val, y_train, y_val = train_test_split(files, labels, test_size=0.1, random_state=91)
model = tf.keras.Sequential([
    tf.keras.layers.Input((SIZE, SIZE, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(48, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(classes), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(dataset(f_train, y_train), validation_data=dataset(f_val, y_val), epochs=10, verbose=2)
pred = model.predict(dataset(paths(test, "test")))[:, -1]
submission = pd.DataFrame({"file": test["file"], "species": pred})
submission.to_csv("./submission/submission.csv", index=False)
