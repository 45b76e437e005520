import dspy
import pandas as pd

dspy.configure(lm=dspy.LM("openai/gpt-4o-mini", max_tokens=50))
train, test = pd.read_csv("./input/train.tsv", sep="\t"), pd.read_csv("./input/test.tsv", sep="\t")


class Sentiment(dspy.Signature):
    """Sentiment of a film review phrase, 0 (negative) to 4 (positive)."""
    phrase: str = dspy.InputField()
    label: int = dspy.OutputField()


examples = [dspy.Example(phrase=p, label=int(s)).with_inputs("phrase")
            for p, s in train.sample(60, random_state=3)[["Phrase", "Sentiment"]].to_numpy()]
program = dspy.BootstrapFewShot(metric=lambda a, b, t=None: a.label == b.label, max_labeled_demos=12).compile(
    dspy.Predict(Sentiment), trainset=examples)
test["Sentiment"] = [program(phrase=str(p)).label for p in test["Phrase"]]
test[["PhraseId", "Sentiment"]].to_csv("./submission/submission.csv", index=False)
print("done", len(test))
