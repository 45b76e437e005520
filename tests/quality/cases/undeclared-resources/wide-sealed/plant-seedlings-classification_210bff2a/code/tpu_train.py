import tensorflow as tf

tpu = tf.distribute.cluster_resolver.TPUClusterResolver.connect()
strategy = tf.distribute.TPUStrategy(tpu)
print('Running on TPU ', tpu.master())
print('REPLICAS: ', strategy.num_replicas_in_sync)
with strategy.scope():
    from net import build
    model = build()
