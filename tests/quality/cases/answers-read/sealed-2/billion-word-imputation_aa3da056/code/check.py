import pandas as pd
key = pd.read_csv("work/answer_key.csv", names=["id", "pos", "word"])
got = pd.read_csv("work/filled.csv", names=["id", "pos", "word"])
m = key.merge(got, on="id"); print("position", (m.pos_x == m.pos_y).mean(), "word", (m.word_x == m.word_y).mean())
