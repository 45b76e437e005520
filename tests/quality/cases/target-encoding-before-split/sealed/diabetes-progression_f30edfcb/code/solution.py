import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler
from sklearn.ensemble import RandomForestClassifier

def prepare(df):
    df = df.copy()
    cols = ["a", "b", "c"]
    df[cols] = MinMaxScaler().fit_transform(df[cols])
    return df

def evaluate(df):
    X_tr, X_va, y_tr, y_va = train_test_split(df.drop("target", axis=1), df["target"], stratify=df["target"])
    rf = RandomForestClassifier(300).fit(X_tr, y_tr)
    print("holdout accuracy", rf.score(X_va, y_va))
    return rf

if __name__ == "__main__":
    data = prepare(train)
    evaluate(data)
