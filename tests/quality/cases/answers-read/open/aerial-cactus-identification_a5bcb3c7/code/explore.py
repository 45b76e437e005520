import os

total = 0
for dirname, _, filenames in os.walk("/home/data"):
    for filename in filenames:
        total += 1
        if total < 10:
            print(os.path.join(dirname, filename))
print(total)
