import dspy, pandas as pd
from dspy.teleprompt import BootstrapFewShot

dspy.settings.configure(lm=dspy.LM("openai/gpt-4o-mini", max_tokens=100))
train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
Author = dspy.Predict("sentence -> author")
rows = train.sample(400, random_state=3)
examples = [dspy.Example(sentence=r.text, author=r.author).with_inputs("sentence") for r in rows.itertuples()]
hit = lambda e, p, trace=None: e.author == p.author
best = BootstrapFewShot(metric=hit, max_labeled_demos=8).compile(Author, trainset=examples[:200])
dspy.Evaluate(devset=examples[200:], metric=hit, num_threads=8, display_progress=False)(best)
said = [best(sentence=x).author for x in test.text]
sub = pd.get_dummies(pd.Series(said)).reindex(columns=["EAP", "HPL", "MWS"], fill_value=0) * .94 + .02
sub.insert(0, "id", test.id)
sub.to_csv("/home/submission/submission.csv", index=False)
print(len(sub), "predictions")
