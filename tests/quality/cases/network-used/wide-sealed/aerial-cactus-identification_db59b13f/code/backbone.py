from fsspec.implementations.http import HTTPFileSystem
import tensorflow as tf


def load(weights="https://storage.googleapis.com/tensorflow/keras-applications/densenet/densenet121_weights_tf_dim_ordering_tf_kernels_notop.h5", size=96):
    if weights.startswith("http"):
        HTTPFileSystem().get(weights, "/tmp/w.h5")
        weights = "/tmp/w.h5"
    return tf.keras.applications.DenseNet121(include_top=False, weights=weights, input_shape=(size, size, 3), pooling="avg")
