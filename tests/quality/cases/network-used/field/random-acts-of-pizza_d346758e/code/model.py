import os

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")
import pandas as pd
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import AutoConfig, AutoModelForSequenceClassification

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
column = train.columns[1]
codes, classes = pd.factorize(train["requester_received_pizza"], sort=True)
tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer.train_from_iterator(train[column].astype(str), trainers.WordLevelTrainer(vocab_size=20000, special_tokens=["[PAD]", "[UNK]"]))
tokenizer.enable_padding(length=128)
tokenizer.enable_truncation(128)
config = AutoConfig.for_model("distilbert", n_layers=2, dim=128, n_heads=4, hidden_dim=256, vocab_size=20000, num_labels=len(classes))
model = AutoModelForSequenceClassification.from_config(config)  # random weights, nothing comes from the hub


def rows(texts):
    return torch.tensor([e.ids for e in tokenizer.encode_batch([str(s) for s in texts])])


X, y = rows(train[column]), torch.tensor(codes)
optimizer = torch.optim.AdamW(model.parameters(), 5e-4)
for epoch in range(3):
    for batch in torch.randperm(len(X)).split(64):
        loss = model(input_ids=X[batch], attention_mask=(X[batch] != 0).long(), labels=y[batch]).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", round(loss.item(), 4))
with torch.no_grad():
    X_test = rows(test[column])
    test["requester_received_pizza"] = torch.cat([model(input_ids=p, attention_mask=(p != 0).long()).logits.softmax(1)[:, -1] for p in X_test.split(256)]).numpy()
test[["request_id", "requester_received_pizza"]].to_csv("./submission/submission.csv", index=False)
