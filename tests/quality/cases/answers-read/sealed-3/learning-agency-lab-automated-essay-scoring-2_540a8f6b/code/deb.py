import pandas as pd
from transformers import AutoTokenizer, AutoModelForSequenceClassification, Trainer, TrainingArguments
from dataset import Essays, qwk
tr = pd.read_csv('/home/data/train.csv')
tok = AutoTokenizer.from_pretrained('microsoft/deberta-v3-small')
m = AutoModelForSequenceClassification.from_pretrained('microsoft/deberta-v3-small', num_labels=1)
a = TrainingArguments('out', num_train_epochs=3, per_device_train_batch_size=8, learning_rate=1e-5, fp16=True)
Trainer(m, a, train_dataset=Essays(tr[:-1500], tok), eval_dataset=Essays(tr[-1500:], tok), compute_metrics=qwk).train()
