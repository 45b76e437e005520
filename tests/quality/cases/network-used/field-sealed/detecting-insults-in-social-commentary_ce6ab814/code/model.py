import numpy as np
import pandas as pd
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments

NAME = "microsoft/deberta-v3-base"
train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
column = train.columns[1]
labels, classes = pd.factorize(train["Insult"], sort=True)
tokenizer = AutoTokenizer.from_pretrained(NAME)
model = AutoModelForSequenceClassification.from_pretrained(NAME, num_labels=len(classes))


class Texts(torch.utils.data.Dataset):
    def __init__(self, texts, y=None):
        self.items, self.y = tokenizer(list(map(str, texts)), truncation=True, max_length=256, padding=True), y

    def __len__(self):
        return len(self.items["input_ids"])

    def __getitem__(self, i):
        row = {k: torch.tensor(v[i]) for k, v in self.items.items()}
        return row if self.y is None else {**row, "labels": torch.tensor(self.y[i])}


args = TrainingArguments("/tmp/deberta", num_train_epochs=2, per_device_train_batch_size=16, learning_rate=2e-5, report_to=[])
trainer = Trainer(model, args, train_dataset=Texts(train[column], labels))
trainer.train()
logits = trainer.predict(Texts(test[column])).predictions
test["Insult"] = np.exp(logits[:, -1]) / np.exp(logits).sum(1)
test[["id", "Insult"]].to_csv("./submission/submission.csv", index=False)
