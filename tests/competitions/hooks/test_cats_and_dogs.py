"""New names of photographs whose file name is their label."""

import pandas as pd  # noqa: TID253

from competitions import spec
from competitions.hooks.cats_and_dogs import rows
from competitions.splits import Parts

TASK = spec.load("dogs-vs-cats-redux-kernels-edition")


def named(*train, test=("dog.9.jpg", "cat.4.jpg")):
    return rows(TASK, Parts(pd.DataFrame({"name": train}), pd.DataFrame({"name": list(test)})))


def test_each_species_is_counted_from_nought_in_the_order_of_the_split():
    parts = named("dog.31.jpg", "cat.7.jpg", "dog.2.jpg", "cat.7000.jpg", "cat.1.jpg")

    assert parts.train["file"].tolist() == [
        "dog.0.jpg",
        "cat.0.jpg",
        "dog.1.jpg",
        "cat.1.jpg",
        "cat.2.jpg",
    ]


def test_test_rows_are_numbered_from_one_and_their_names_tell_no_label():
    parts = named("cat.0.jpg")

    assert parts.test["id"].tolist() == [1, 2]
    assert parts.test["label"].tolist() == [1, 0]


def test_a_train_part_without_cats_is_numbered_too():
    assert named("dog.5.jpg", "dog.1.jpg").train["file"].tolist() == ["dog.0.jpg", "dog.1.jpg"]
