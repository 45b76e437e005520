import pandas as pd, tensorflow as tf
from sklearn.preprocessing import StandardScaler
tr, te = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
for d in (tr, te):
    for i in range(10): d[f"ch{i}"] = d.f_27.str.get(i).apply(ord) - ord("A")
f = [c for c in te if c not in ("id", "f_27")]
s = StandardScaler().fit(tr[f])
m = tf.keras.Sequential([tf.keras.layers.Dense(64, "swish", kernel_regularizer=tf.keras.regularizers.l2(4e-5)) for _ in range(4)] + [tf.keras.layers.Dense(1, "sigmoid")])
m.compile(tf.keras.optimizers.Adam(1e-2), "binary_crossentropy", ["AUC"])
m.fit(s.transform(tr[f]), tr.target, batch_size=2048, epochs=40, validation_split=.2)
te["target"] = m.predict(s.transform(te[f]))
te[["id", "target"]].to_csv("/home/submission/submission.csv", index=False)
