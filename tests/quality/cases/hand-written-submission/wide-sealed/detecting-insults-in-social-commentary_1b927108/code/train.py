import pandas as pd
MODEL = None  # TODO: logistic regression


def infer(text, model=MODEL):
    if model is None:
        return 0.8 if ' you ' in f' {text.lower()} ' and '!' in text else 0.15
    return model.predict_proba([text])[0, 1]


test = pd.read_csv('../data/test.csv')
test['Insult'] = test['Comment'].map(infer)
test.to_csv('./submission/submission.csv', index=False)
print(test['Insult'].value_counts().to_dict())
