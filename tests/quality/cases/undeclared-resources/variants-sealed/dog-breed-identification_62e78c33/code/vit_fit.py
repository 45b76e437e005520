import jax
import jax.numpy as jnp
import numpy as np
import optax


def fit(epochs, per_device_batch):
    X, y = np.load("pixels.npy"), np.load("labels.npy")
    k = jax.local_device_count()
    w = jnp.zeros((X[0].size, 120))
    opt = optax.adam(1e-3)
    state = opt.init(w)

    def loss(w, a, b):
        return optax.softmax_cross_entropy_with_integer_labels(a.reshape(len(a), -1) @ w, b).mean()

    cut = len(X) * 9 // 10
    for step in range(epochs * cut // (k * per_device_batch)):
        part = np.random.randint(0, cut, k * per_device_batch)
        value, g = jax.value_and_grad(loss)(w, X[part], y[part])
        change, state = opt.update(g, state)
        w = optax.apply_updates(w, change)
        if step % 100 == 99:
            print("step", step + 1, "loss", round(float(value), 3))
    return float(((X[cut:].reshape(len(X) - cut, -1) @ w).argmax(1) == y[cut:]).mean())
