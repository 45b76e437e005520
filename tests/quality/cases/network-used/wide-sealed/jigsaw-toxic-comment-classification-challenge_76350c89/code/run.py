import pandas as pd, torch
from datasets import Dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments

NAME = "microsoft/deberta-v3-small"
train, test = pd.read_csv("/kaggle/input/jigsaw-toxic-comment-classification-challenge/train.csv"), pd.read_csv("/kaggle/input/jigsaw-toxic-comment-classification-challenge/test.csv")
text = "comment_text" if "comment_text" in train else "Comment"
label = "toxic" if "toxic" in train else "Insult"
tok = AutoTokenizer.from_pretrained(NAME)
model = AutoModelForSequenceClassification.from_pretrained(NAME, num_labels=2)
ds = Dataset.from_dict(dict(text=train[text].tolist(), labels=train[label].tolist()))
ds = ds.map(lambda b: tok(b["text"], truncation=True, max_length=192), batched=True).train_test_split(0.1, seed=0)
args = TrainingArguments("ckpt", per_device_train_batch_size=16, num_train_epochs=2, learning_rate=2e-5, report_to=[])
t = Trainer(model, args, train_dataset=ds["train"], eval_dataset=ds["test"], tokenizer=tok)
t.train()
print(t.evaluate())
enc = Dataset.from_dict(dict(text=test[text].tolist())).map(lambda b: tok(b["text"], truncation=True, max_length=192), batched=True)
p = torch.tensor(t.predict(enc).predictions).softmax(-1)[:, 1].numpy()
sub = pd.read_csv("/kaggle/input/jigsaw-toxic-comment-classification-challenge/sample_submission.csv")
sub.iloc[:, 1] = p
sub.to_csv("/home/submission/submission.csv", index=False)
