from pathlib import Path
import pandas as pd
CLASSES = ['healthy', 'multiple_diseases', 'rust', 'scab']
class Paths:
    root = Path('/home/data')
    images = root / 'images'
    train = root / 'train.csv'
    test = root / 'test.csv'
def table(split):
    d = pd.read_csv(getattr(Paths, split))
    d['path'] = [str(Paths.images / f'{i}.jpg') for i in d.image_id]
    return d
