import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.neighbors import KNeighborsClassifier
test = pd.read_csv('/workspace/input/test.csv').head(30)
guess = ['EAP', 'EAP', 'HPL', 'MWS', 'MWS', 'EAP', 'HPL', 'HPL', 'MWS', 'HPL', 'MWS', 'EAP', 'EAP', 'EAP', 'EAP', 'MWS', 'EAP', 'HPL', 'HPL', 'HPL', 'EAP', 'HPL', 'EAP', 'EAP', 'HPL', 'MWS', 'EAP', 'MWS', 'EAP', 'EAP']
X = TfidfVectorizer().fit_transform(test['text'])
knn = KNeighborsClassifier(1).fit(X, guess)
p = pd.DataFrame(knn.predict_proba(X), columns=knn.classes_, index=test['id'])
p.to_csv('/workspace/submission.csv')
print(p.shape)
