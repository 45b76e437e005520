import sys
import pandas as pd

truth = pd.read_csv("/private/tweet-sentiment-extraction/test.csv").set_index("textID")["sentiment"]
mine = pd.read_csv(sys.argv[1]).set_index("textID")["sentiment"].reindex(truth.index)
print("score", round(float((mine.round() == truth).mean()), 5))
