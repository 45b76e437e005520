# extractive QA, hindi + tamil
import pandas as pd
from transformers import AutoModelForQuestionAnswering, AutoTokenizer, Trainer, TrainingArguments

train = pd.read_csv("/home/data/train.csv")  # id, context, question, answer_text, answer_start, language
test = pd.read_csv("/home/data/test.csv")
tok = AutoTokenizer.from_pretrained("/home/models/xlm-roberta-base")


def convert(row):
    enc = tok(row.question, row.context, truncation="only_second", max_length=384, stride=128,
              return_overflowing_tokens=True, return_offsets_mapping=True)
    answers = {"answer_start": [row.answer_start], "text": [row.answer_text]}
    end = answers["answer_start"][0] + len(answers["text"][0])
    return enc, answers, end


examples = [convert(r) for r in train.itertuples()]
private_answers = [e[1] for e in examples]
print("answers", len(private_answers), "longest", max(len(a["text"][0]) for a in private_answers))
