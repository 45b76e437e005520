import pandas as pd, torch
test = pd.read_csv('/home/data/test.csv')
net = torch.nn.Linear(3, 1)
with torch.no_grad():
    net.weight[:] = torch.tensor([[0.9, 14.0, 2.0]])   # chosen by eye
    net.bias[:] = -17.0
X = torch.tensor(test[['worst radius', 'worst concave points', 'mean concavity']].to_numpy(), dtype=torch.float32)
test['malignant'] = net(X).sigmoid().detach().numpy().ravel()
test[['id', 'malignant']].to_csv('submission.csv', index=False)
