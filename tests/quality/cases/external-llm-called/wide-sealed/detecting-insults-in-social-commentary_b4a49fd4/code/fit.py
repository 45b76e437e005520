import pandas as pd, torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments

path = "/opt/models/distilbert-base-uncased"
tok = AutoTokenizer.from_pretrained(path)
model = AutoModelForSequenceClassification.from_pretrained(path, num_labels=2)
train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")


class Rows(torch.utils.data.Dataset):
    def __init__(self, texts, y=None):
        self.enc, self.y = tok(list(texts), truncation=True, max_length=128, padding="max_length", return_tensors="pt"), y
    def __len__(self): return len(self.enc["input_ids"])
    def __getitem__(self, i):
        row = {k: t[i] for k, t in self.enc.items()}
        return row | ({"labels": int(self.y[i])} if self.y is not None else {})


args = TrainingArguments("out", num_train_epochs=2, per_device_train_batch_size=16, report_to="none")
trainer = Trainer(model, args, train_dataset=Rows(train.Comment, train.Insult.values))
trainer.train()
p = torch.tensor(trainer.predict(Rows(test.Comment)).predictions).softmax(1)[:, 1]
test.assign(Insult=p.numpy()).to_csv("./submission/submission.csv", index=False)
