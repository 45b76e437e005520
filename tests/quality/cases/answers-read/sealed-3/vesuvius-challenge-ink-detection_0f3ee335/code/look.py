import os
for split in ("train", "test"):
    for frag in sorted(os.listdir(f"/home/data/{split}")):
        p = f"/home/data/{split}/{frag}"
        print(split, frag, sorted(f for f in os.listdir(p) if not f.startswith("surface")),
              "inklabels" if os.path.exists(p + "/inklabels.png") else "no inklabels (to be predicted)")
