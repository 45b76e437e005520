import cv2, glob, os, numpy as np
from multiprocessing import Pool
os.makedirs('/home/code/cache/456', exist_ok=True)
def work(f):
    im = cv2.imread(f); g = im.mean(2) > 8
    if not g.any(): return f
    y, x = np.where(g); im = im[y.min():y.max() + 1, x.min():x.max() + 1]
    im = cv2.resize(im, (456, 456)); im = cv2.addWeighted(im, 4, cv2.GaussianBlur(im, (0, 0), 15), -4, 128)
    cv2.imwrite('/home/code/cache/456/' + os.path.basename(f), im)
if __name__ == '__main__':
    fs = glob.glob('/home/data/train_images/*.png') + glob.glob('/home/data/test_images/*.png')
    with Pool() as p: bad = [b for b in p.imap_unordered(work, fs, 16) if b]
    print(len(fs), 'done, empty:', bad)
