from datasets import Dataset
import pandas as pd, numpy as np
from transformers import *
A = ['EAP', 'HPL', 'MWS']
tr, te = pd.read_csv('/home/data/train.csv'), pd.read_csv('/home/data/test.csv')
tok = AutoTokenizer.from_pretrained('bert-base-uncased')
ds = Dataset.from_pandas(tr.assign(label=tr.author.map(A.index))[['text', 'label']]).map(lambda b: tok(b['text'], truncation=True, max_length=128), batched=True).train_test_split(.1, seed=1)
m = AutoModelForSequenceClassification.from_pretrained('bert-base-uncased', num_labels=3)
t = Trainer(m, TrainingArguments('o', num_train_epochs=3, per_device_train_batch_size=32, learning_rate=3e-5, evaluation_strategy='epoch'), train_dataset=ds['train'], eval_dataset=ds['test'], tokenizer=tok)
t.train()
p = t.predict(Dataset.from_pandas(te).map(lambda b: tok(b['text'], truncation=True), batched=True)).predictions
p = np.exp(p) / np.exp(p).sum(1, keepdims=True)
pd.DataFrame(p, columns=A).assign(id=te.id).to_csv('/home/submission/submission.csv', index=False)
