import tensorflow as tf, pandas as pd
df = pd.read_csv('/home/data/train.csv', dtype=str)
g = tf.keras.preprocessing.image.ImageDataGenerator(1/255, horizontal_flip=True, vertical_flip=True, validation_split=.1)
a, b = (g.flow_from_dataframe(df, 'work/train', 'id', 'has_cactus', target_size=(32, 32), class_mode='binary', subset=s) for s in ('training', 'validation'))
v = tf.keras.applications.VGG16(include_top=False, input_shape=(32, 32, 3), pooling='avg')
m = tf.keras.Sequential([v, tf.keras.layers.Dense(256, 'relu'), tf.keras.layers.Dropout(.5), tf.keras.layers.Dense(1, 'sigmoid')])
m.compile(tf.keras.optimizers.Adam(1e-5), 'binary_crossentropy', ['accuracy'])
m.fit(a, validation_data=b, epochs=12)
m.save('vgg.keras')
