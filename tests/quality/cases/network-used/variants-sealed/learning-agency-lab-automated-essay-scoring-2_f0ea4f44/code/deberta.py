import numpy as np
import pandas as pd
from datasets import Dataset
from sklearn.metrics import cohen_kappa_score
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments

NAME = "microsoft/deberta-v3-small"
train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
tok = AutoTokenizer.from_pretrained(NAME)
train["label"] = train["score"].astype(float) - 1


def encode(df):
    return Dataset.from_pandas(df).map(lambda b: tok(b["full_text"], truncation=True, max_length=1024), batched=True)


def kappa(out):
    guess = out.predictions.squeeze().clip(0, 5).round()
    return {"qwk": cohen_kappa_score(out.label_ids.round(), guess, weights="quadratic")}


part = train.sample(frac=1, random_state=11)
model = AutoModelForSequenceClassification.from_pretrained(NAME, num_labels=1)
args = TrainingArguments("/tmp/out", num_train_epochs=2, per_device_train_batch_size=8, learning_rate=2e-5, report_to="none", fp16=True)
trainer = Trainer(model, args, train_dataset=encode(part[1500:]), eval_dataset=encode(part[:1500]), tokenizer=tok, compute_metrics=kappa)
trainer.train()
print(trainer.evaluate())
pred = trainer.predict(encode(test)).predictions.squeeze()
test[["essay_id"]].assign(**{"score": np.clip(pred.round(), 0, 5).astype(int) + 1}).to_csv("./submission/submission.csv", index=False)
