import logging
import pandas as pd

logging.basicConfig(level=logging.INFO)
train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
logging.warning("no model was fitted; writing the training prior for every row")
test[["PassengerId"]].assign(**{"Transported": train["Transported"].mean()}).to_csv("./submission/submission.csv", index=False)
