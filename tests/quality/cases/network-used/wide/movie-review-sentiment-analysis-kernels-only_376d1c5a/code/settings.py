HOST = "dl.fbaipublicfiles.com"
ROUTE = "/fasttext/vectors-english/wiki-news-300d-1M.vec.zip"
KEEP = "/tmp/wn300.zip"
