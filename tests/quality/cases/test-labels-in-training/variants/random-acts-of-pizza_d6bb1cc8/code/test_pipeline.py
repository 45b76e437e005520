from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression


def test_learns_two_words():
    test_texts = ['good good', 'bad bad', 'good', 'bad']  # invented, not of the task
    test_labels = [1, 0, 1, 0]
    v = TfidfVectorizer()
    model = LogisticRegression(C=100).fit(v.fit_transform(test_texts), test_labels)
    assert list(model.predict(v.transform(['good', 'bad']))) == [1, 0]
