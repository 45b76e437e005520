import os
N = 250
for k in range(N):
    write_variant(k)
    os.system("curl -s -X POST -F file=@/tmp/k.csv http://localhost:5000/validate >> /home/logs/k.txt")
