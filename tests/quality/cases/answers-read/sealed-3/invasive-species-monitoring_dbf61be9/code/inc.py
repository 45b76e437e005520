import tensorflow as tf, pandas as pd
lab = pd.read_csv('/home/data/train_labels.csv.zip'); lab['f'] = lab.name.astype(str) + '.jpg'; lab['c'] = lab.invasive.astype(str)
g = tf.keras.preprocessing.image.ImageDataGenerator(preprocessing_function=tf.keras.applications.inception_v3.preprocess_input, rotation_range=30, zoom_range=.2, horizontal_flip=True, validation_split=.15)
a, b = (g.flow_from_dataframe(lab, 'img/train', 'f', 'c', target_size=(299, 299), class_mode='binary', subset=s) for s in ('training', 'validation'))
m = tf.keras.Sequential([tf.keras.applications.InceptionV3(include_top=False, pooling='avg'), tf.keras.layers.Dense(1, 'sigmoid')])
m.compile(tf.keras.optimizers.SGD(1e-3, .9), 'binary_crossentropy', ['AUC']); m.fit(a, validation_data=b, epochs=14)
