# Kaggle kernel, competition nomad2018-predict-transparent-conductors, public score 0.0512
import numpy as np
import pandas as pd
import lightgbm as lgb


def volume(r):
    a, b, g = np.radians([r.lattice_angle_alpha_degree, r.lattice_angle_beta_degree, r.lattice_angle_gamma_degree])
    k = np.sqrt(1 + 2 * np.cos(a) * np.cos(b) * np.cos(g) - np.cos(a) ** 2 - np.cos(b) ** 2 - np.cos(g) ** 2)
    return r.lattice_vector_1_ang * r.lattice_vector_2_ang * r.lattice_vector_3_ang * k


PARAMS = dict(learning_rate=0.03, num_leaves=9, min_data_in_leaf=18, feature_fraction=0.7)
