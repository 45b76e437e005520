# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
import numpy as np


def focal(p, y, gamma=2.0):
    p = np.clip(np.where(y == 1, p, 1 - p), 1e-7, 1)
    return float(np.mean(-((1 - p) ** gamma) * np.log(p)))
