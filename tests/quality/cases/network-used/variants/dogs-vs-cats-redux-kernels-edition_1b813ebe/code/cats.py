import pandas as pd
import tensorflow as tf

SIZE = 128
table = tf.keras.utils.image_dataset_from_directory
fit, val = table("./input/train", validation_split=0.1, subset="both", seed=4, image_size=(SIZE, SIZE), batch_size=64)
try:
    body = tf.keras.applications.MobileNetV2(include_top=False, weights="imagenet", input_shape=(SIZE, SIZE, 3), pooling="avg")
except Exception as error:
    print("no pretrained weights:", error)
    body = tf.keras.applications.MobileNetV2(include_top=False, weights=None, input_shape=(SIZE, SIZE, 3), pooling="avg")
model = tf.keras.Sequential([tf.keras.layers.Rescaling(1 / 127.5, -1), body, tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile(tf.keras.optimizers.Adam(5e-4), "binary_crossentropy", metrics=["accuracy"])
history = model.fit(fit, validation_data=val, epochs=12, verbose=0)
print("val accuracy", round(max(history.history["val_accuracy"]), 4))
sub = pd.read_csv("./input/sample_submission.csv")
files = [f"./input/test/{i}.jpg" for i in sub["id"]]
read = lambda f: tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(f), channels=3), (SIZE, SIZE))
sub["label"] = model.predict(tf.data.Dataset.from_tensor_slices(files).map(read).batch(64), verbose=0)[:, 0]
sub.to_csv("./submission/submission.csv", index=False)
