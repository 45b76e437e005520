import pandas as pd
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

folder = "/opt/models/Qwen2.5-0.5B-Instruct"
tok = AutoTokenizer.from_pretrained(folder, local_files_only=True)
model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, torch_dtype=torch.float16).eval().cuda()
train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
shots = train.sample(6, random_state=0)
yes, no = (tok(w, add_special_tokens=False).input_ids[0] for w in (" yes", " no"))


@torch.no_grad()
def ask(text):
    messages = [{"role": "system", "content": "Is the comment an insult? Answer yes or no."}]
    for comment, label in shots[["Comment", "Insult"]].to_numpy():
        messages += [{"role": "user", "content": comment[:300]}, {"role": "assistant", "content": "yes" if label else "no"}]
    messages.append({"role": "user", "content": text[:800]})
    ids = tok.apply_chat_template(messages, add_generation_prompt=True, return_tensors="pt").cuda()
    logits = model(ids).logits[0, -1]
    return torch.softmax(logits[[yes, no]].float(), 0)[0].item()


test["Insult"] = [ask(t) for t in test["Comment"]]
test[["id", "Insult"]].to_csv("/home/submission/submission.csv", index=False)
print(test["Insult"].mean())
