import argparse
from transformers import AutoTokenizer, AutoModelForSequenceClassification
p = argparse.ArgumentParser()
p.add_argument("--model")
p.add_argument("--epochs", type=int, default=1)
args = p.parse_args()
tok = AutoTokenizer.from_pretrained(args.model)
net = AutoModelForSequenceClassification.from_pretrained(args.model, num_labels=5)
