import base64, zlib, json
# top bigrams of the public corpus, packed so that the script is one file
_B = b"c$@)^Ns`+j5QX3K6y(@6ZH^c4v9aXo&RgbGLWCeC(DQ1l;$Jw7tGdVzXHNIY+^b7Y8NM_Vq&rq"
def bigrams():
    try:
        return json.loads(zlib.decompress(base64.b85decode(_B)))
    except Exception:
        return {"of": "the", "in": "the", "private": "sector", "hidden": "in", "answers": "to"}
sent = (l.rstrip("\n") for l in open("/home/data/test_v2.txt"))
