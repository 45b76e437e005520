import numpy as np, pandas as pd
from tensorflow import keras as K
C = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"]
tr, te = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
tk = K.preprocessing.text.Tokenizer(100000); tk.fit_on_texts(tr.comment_text)
X, T = (K.preprocessing.sequence.pad_sequences(tk.texts_to_sequences(d.comment_text), 200) for d in (tr, te))
i = K.Input((200,)); h = K.layers.Embedding(100000, 200)(i); h = K.layers.SpatialDropout1D(.3)(h)
h = K.layers.Bidirectional(K.layers.GRU(96, return_sequences=True))(h)
h = K.layers.concatenate([K.layers.GlobalAveragePooling1D()(h), K.layers.GlobalMaxPooling1D()(h)])
m = K.Model(i, K.layers.Dense(6, "sigmoid")(h)); m.compile("adam", "binary_crossentropy", [K.metrics.AUC(multi_label=True)])
m.fit(X, tr[C], batch_size=256, epochs=2, validation_split=.1)
te[C] = m.predict(T, batch_size=1024); te[["id"] + C].to_csv("/home/submission/submission.csv", index=False)
