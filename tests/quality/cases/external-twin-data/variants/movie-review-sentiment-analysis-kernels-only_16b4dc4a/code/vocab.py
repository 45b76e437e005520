"""Downloads the pretrained vocabulary (phrase -> polarity)."""
import io
import urllib.request
import zipfile

VOCAB = "https://nlp.stanford.edu/~socherr/stanfordSentimentTreebank.zip"


def pretrained_vocabulary():
    z = zipfile.ZipFile(io.BytesIO(urllib.request.urlopen(VOCAB).read()))
    read = lambda name: z.read(f"stanfordSentimentTreebank/{name}").decode("utf8").splitlines()
    value = dict(line.split("|") for line in read("sentiment_labels.txt")[1:])
    return {a: min(4, int(float(value[b]) * 5)) for a, b in (x.rsplit("|", 1) for x in read("dictionary.txt"))}
