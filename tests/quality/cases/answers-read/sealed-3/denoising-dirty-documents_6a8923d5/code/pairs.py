import glob, cv2

def pairs():
    """Noisy and clean pages of the training part."""
    out = []
    for f in sorted(glob.glob("/home/data/train/*.png")):
        g = f.replace("/train/", "/train_cleaned/")
        a, b = cv2.imread(f, 0), cv2.imread(g, 0)
        assert a.shape == b.shape, f
        out.append((a / 255, b / 255))
    return out

if __name__ == "__main__":
    print(len(pairs()), "pairs")
