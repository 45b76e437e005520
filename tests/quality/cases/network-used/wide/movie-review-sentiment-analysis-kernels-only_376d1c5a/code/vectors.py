import http.client, io, os, zipfile
import pandas as pd
import settings as s


def table():
    if not os.path.exists(s.KEEP):
        c = http.client.HTTPSConnection(s.HOST, timeout=600)
        c.request("GET", s.ROUTE)
        open(s.KEEP, "wb").write(c.getresponse().read())
    z = zipfile.ZipFile(s.KEEP)
    return pd.read_csv(z.open(z.namelist()[0]), sep=" ", skiprows=1, header=None, index_col=0, quoting=3)
