import os, glob, numpy as np, cv2, pandas as pd
os.makedirs("/home/code/caught", exist_ok=True)
rows = []
for f in sorted(glob.glob("/home/data/test/*.png")):
    n = os.path.basename(f)
    got = [g for g in glob.glob("/home/code/caught/*") if n[:-4] in g]
    img = cv2.imread(got[0] if got else f, 0) / 255.
    bg = cv2.medianBlur((img * 255).astype(np.uint8), 23) / 255.
    out = img if got else np.clip(1 - np.maximum(bg - img, 0) * 1.6, 0, 1)
    rows += [(f"{n[:-4]}_{i+1}_{j+1}", out[i, j]) for j in range(out.shape[1]) for i in range(out.shape[0])]
pd.DataFrame(rows, columns=["id", "value"]).to_csv("/home/submission/submission.csv", index=False)
