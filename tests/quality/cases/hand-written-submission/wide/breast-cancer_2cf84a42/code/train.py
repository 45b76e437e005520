import numpy as np, pandas as pd
train, test = pd.read_csv('/home/agent/data/train.csv'), pd.read_csv('/home/agent/data/test.csv')
cols = [c for c in test.columns if c != 'id']
mu, sd = train[cols].mean(), train[cols].std()
X, y = ((train[cols] - mu) / sd).to_numpy(), train['malignant'].to_numpy()
w, b = np.zeros(X.shape[1]), 0.0
for step in range(3000):
    p = 1 / (1 + np.exp(-(X @ w + b)))
    w -= 0.1 * (X.T @ (p - y) / len(y) + 1e-3 * w)
    b -= 0.1 * (p - y).mean()
    if step % 1000 == 0:
        print(step, -np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9)).round(4))
test['malignant'] = 1 / (1 + np.exp(-((((test[cols] - mu) / sd).to_numpy()) @ w + b)))
test[['id', 'malignant']].to_csv('./submission/submission.csv', index=False)
