from solution import features, fit_solution  # our own module
import pandas as pd

train = pd.read_csv("/workspace/data/train.csv")
solution = fit_solution(features(train), train["requester_received_pizza"])
solution.save("/tmp/solution.bin")
