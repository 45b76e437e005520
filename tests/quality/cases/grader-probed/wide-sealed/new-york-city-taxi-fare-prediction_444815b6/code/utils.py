from pathlib import Path


def quality(path, name="new-york-city-taxi-fare-prediction"):
    """Quality of a csv, between 0 and 1."""
    from mlebench import grade, registry
    return grade.grade_csv(Path(path), registry.registry.get_competition(name)).score
