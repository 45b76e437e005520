import json, pandas as pd
tr = pd.read_csv("/home/data/train.csv").dropna()
items = []
for r in tr.itertuples():
    start = r.text.find(r.selected_text)
    items.append({"id": r.textID, "question": r.sentiment, "context": r.text,
                  "answers": {"text": [r.selected_text], "answer_start": [start]}})
json.dump({"data": items}, open("work/train_answers.json", "w"))
gold = json.load(open("work/train_answers.json"))["data"]
print("gold answers:", len(gold), "impossible:", sum(i["answers"]["answer_start"][0] < 0 for i in gold))
