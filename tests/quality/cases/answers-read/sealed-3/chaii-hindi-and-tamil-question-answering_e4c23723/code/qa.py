import pandas as pd
from transformers import AutoTokenizer, AutoModelForQuestionAnswering, Trainer, TrainingArguments, default_data_collator
from prep import train_features, best_span
tr, te = pd.read_csv('/home/data/train.csv'), pd.read_csv('/home/data/test.csv')
tok = AutoTokenizer.from_pretrained('deepset/xlm-roberta-base-squad2')
m = AutoModelForQuestionAnswering.from_pretrained('deepset/xlm-roberta-base-squad2')
ds = train_features(tr, tok, max_length=384, stride=128)   # uses answer_text and answer_start
Trainer(m, TrainingArguments('o', num_train_epochs=2, per_device_train_batch_size=8, learning_rate=2e-5), train_dataset=ds, data_collator=default_data_collator).train()
te['PredictionString'] = [best_span(m, tok, r.question, r.context).strip(' ।,.') for r in te.itertuples()]
te[['id', 'PredictionString']].to_csv('/home/submission/submission.csv', index=False)
