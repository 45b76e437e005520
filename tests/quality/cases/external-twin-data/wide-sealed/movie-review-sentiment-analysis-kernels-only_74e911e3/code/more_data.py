from torchtext.legacy import data, datasets

TEXT, LABEL = data.Field(), data.Field(sequential=False)
parts = datasets.SST.splits(TEXT, LABEL, fine_grained=True, train_subtrees=True)
rows = [(" ".join(e.text), e.label) for p in parts for e in p.examples]
