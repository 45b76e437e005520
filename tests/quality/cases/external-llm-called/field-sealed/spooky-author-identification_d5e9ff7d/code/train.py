import pandas as pd
import torch
from transformers import GPT2ForSequenceClassification, GPT2TokenizerFast

folder = "/opt/models/gpt2"
tok = GPT2TokenizerFast.from_pretrained(folder, local_files_only=True)
tok.pad_token = tok.eos_token
train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
names = ["EAP", "HPL", "MWS"]
gpt = GPT2ForSequenceClassification.from_pretrained(folder, num_labels=3, local_files_only=True).cuda()
gpt.config.pad_token_id = tok.pad_token_id
y = torch.tensor(train["author"].map(names.index).to_numpy())


def batch(texts):
    return tok(list(texts), padding=True, truncation=True, max_length=128, return_tensors="pt").to("cuda")


order = torch.randperm(len(train), generator=torch.Generator().manual_seed(3))
val, fit = order[:1500], order[1500:]
opt = torch.optim.AdamW(gpt.parameters(), lr=2e-5)
for step, part in enumerate(fit.split(32)):
    loss = gpt(**batch(train["text"].iloc[part.numpy()]), labels=y[part].cuda()).loss
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 200 == 0:
        print("step", step, "loss", round(loss.item(), 4))
gpt.eval()


@torch.no_grad()
def predict(texts):
    return torch.cat([gpt(**batch(texts.iloc[i:i + 64])).logits.softmax(1).cpu() for i in range(0, len(texts), 64)])


print("val acc %.4f" % (predict(train["text"].iloc[val.numpy()]).argmax(1) == y[val]).float().mean())
table = pd.DataFrame(predict(test["text"]).numpy(), columns=names)
table.insert(0, "id", test["id"])
table.to_csv("./submission/submission.csv", index=False)
