import pandas as pd
from kit import run
df = pd.read_csv('/home/data/train.csv')
df['fold'] = df.groupby('patient_id').ngroup() % 5
print(df.target.mean(), df.benign_malignant.value_counts().to_dict())
run(df, '/home/data/jpeg/train', '/home/data/test.csv', size=256, arch='tf_efficientnet_b3_ns', out='/home/submission/submission.csv')
