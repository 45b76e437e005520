"""Bronze: as read. Silver: cleaned. Gold: ready for the model."""
import pandas as pd


def bronze(path):
    return pd.read_csv(path)


def silver(frame):
    return frame.drop_duplicates().dropna(axis=1, how="all")


def gold(frame, threshold=0.995):
    share = frame.isna().mean()
    return frame.loc[:, share < threshold]
