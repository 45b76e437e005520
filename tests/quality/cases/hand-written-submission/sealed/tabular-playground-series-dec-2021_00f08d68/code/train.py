import numpy as np
import pandas as pd

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")


def overview(frame):
    """Print what there is."""
    print(frame.shape)
    print(frame.isna().mean().sort_values(ascending=False).head(5))
    print(frame.describe().T.head(10))


overview(train)
overview(test)
from io import StringIO

TEXT = """Id,Cover_Type
500,0.0903
507,0.9506
514,0.15
521,0.7394
528,0.8412
535,0.7471
542,0.3019
549,0.3516
556,0.7219
563,0.9656
570,0.6626
577,0.5406
584,0.3879
591,0.4057
598,0.7191
605,0.4289
612,0.5342
619,0.6309
626,0.6325
633,0.041
640,0.2306
647,0.7058
654,0.5703
661,0.8379
668,0.0525
675,0.2317
682,0.502
689,0.747
696,0.1951
703,0.7646
710,0.4104
717,0.3057
724,0.8295
731,0.1071
738,0.9338
745,0.3105
"""
final = pd.read_csv(StringIO(TEXT))
final.to_csv("/home/submission/submission.csv", index=False)
