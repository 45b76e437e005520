print "reading"
import csv
exec "x = 1"
rows = list(csv.reader(open("/home/data/test.csv", "rb")))
print len(rows), `x`
private = rows[0]
