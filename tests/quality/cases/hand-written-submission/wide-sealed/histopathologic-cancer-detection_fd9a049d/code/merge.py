import glob
import pandas as pd
parts = [pd.read_csv(f) for f in sorted(glob.glob('folds/pred_fold*.csv'))]
out = parts[0][['id']].copy()
out['label'] = sum(p['label'].rank(pct=True) for p in parts) / len(parts)
out.to_csv('submission.csv', index=False)
