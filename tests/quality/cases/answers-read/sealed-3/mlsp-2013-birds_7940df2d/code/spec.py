import librosa, numpy as np, glob, os
os.makedirs('mel', exist_ok=True)
for f in sorted(glob.glob('/home/data/essential_data/src_wavs/*.wav')):
    y, sr = librosa.load(f, sr=16000)
    s = librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=sr, n_mels=96, hop_length=256))
    np.save('mel/' + os.path.basename(f)[:-4], ((s - s.mean()) / s.std()).astype('f2'))
print(len(glob.glob('mel/*')), s.shape)
