import numpy as np

def add(d):
    d = d.copy()
    d["EHiElv"] = d.Horizontal_Distance_To_Roadways * d.Elevation
    d["hyd"] = np.hypot(d.Horizontal_Distance_To_Hydrology, d.Vertical_Distance_To_Hydrology)
    d["aspect"] = d.Aspect % 360
    soil = [c for c in d if c.startswith("Soil_Type")]
    d["soils"] = d[soil].sum(axis=1)
    return d.drop(columns=[c for c in ("Id", "Cover_Type", "Soil_Type7", "Soil_Type15") if c in d])
