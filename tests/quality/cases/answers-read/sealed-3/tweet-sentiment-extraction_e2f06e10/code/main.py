import pandas as pd
from transformers import AutoModelForQuestionAnswering, AutoTokenizer

from spans import predict
from tune import finetune

tr, te = pd.read_csv("/home/data/train.csv").dropna(), pd.read_csv("/home/data/test.csv")
tok = AutoTokenizer.from_pretrained("roberta-base")
model = finetune(AutoModelForQuestionAnswering.from_pretrained("roberta-base"), tok, tr, epochs=3)
te["selected_text"] = predict(model.eval(), tok, te)
te[["textID", "selected_text"]].to_csv("/home/submission/submission.csv", index=False)
