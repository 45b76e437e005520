import Levenshtein as L
truth = [l.split("\t") for l in open("val_hidden_word.txt")]
d = 0
for s, (k, w), g in zip(open("val_in.txt"), truth, open("val_guess.txt")):
    t = s.split(); t.insert(int(k), w.strip()); d += L.distance(" ".join(t), g.strip())
print("mean distance to the hidden sentence", d / len(truth))
