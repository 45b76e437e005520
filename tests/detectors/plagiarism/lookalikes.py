"""Code of independent authors that looks alike: it is made of a handful of forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

_WORDS = ("age", "fare", "cabin", "deck", "title", "price", "area", "rooms", "city", "date", "hour")


def _name(rng: Random) -> str:
    return "_".join(rng.sample(_WORDS, rng.choice([1, 2, 2, 3])))


def _number(rng: Random) -> str:
    return rng.choice([str(rng.randrange(1, 500)), f"{rng.random():.3f}", f"-{rng.randrange(9)}"])


def _text(rng: Random) -> str:
    return repr(_name(rng))


def _value(rng: Random) -> str:
    return rng.choice([_number, _text])(rng)


def columns(rng: Random) -> str:
    """Write a list of columns."""
    return "columns = [" + ", ".join(_text(rng) for _ in range(150)) + "]\n"


def settings(rng: Random) -> str:
    """Write a table of settings."""
    return "MAP = {\n" + "".join(f"    {_text(rng)}: {_value(rng)},\n" for _ in range(90)) + "}\n"


def rows(rng: Random) -> str:
    """Write a table of numbers and texts."""
    line = "    ({}, {}, {}, {}),\n"
    return (
        "DATA = [\n"
        + "".join(
            line.format(_text(rng), _number(rng), _number(rng), _text(rng)) for _ in range(200)
        )
        + "]\n"
    )


def matrix(rng: Random) -> str:
    """Write coefficients."""
    lines = ["    [" + ", ".join(_number(rng) for _ in range(8)) + "],\n" for _ in range(120)]
    return "W = np.array([\n" + "".join(lines) + "])\n"


def arguments(rng: Random) -> str:
    """Write a command line."""
    lines = ["import argparse\nparser = argparse.ArgumentParser()\n"]
    for _ in range(35):
        parts = [f"'--{_name(rng)}'"]
        if rng.random() < 0.8:
            parts.append(f"type={rng.choice(['int', 'float', 'str'])}")
        parts.append(f"default={_value(rng)}" if rng.random() < 0.8 else "action='store_true'")
        if rng.random() < 0.5:
            parts.append(f"help={_text(rng)}")
        lines.append(f"parser.add_argument({', '.join(parts)})\n")
    return "".join(lines)


def features(rng: Random) -> str:
    """Write columns made of columns."""
    forms = (
        "df['{}'] = df['{}']\n",
        "df['{}'] = df['{}'] + df['{}']\n",
        "df['{}'] = df['{}'] / df['{}']\n",
        "df['{}'] = df['{}'].fillna(0)\n",
        "df['{}'] = df['{}'].map({})\n",
        "df['{}'] = np.log1p(df['{}'])\n",
    )
    return "".join(rng.choice(forms).format(_name(rng), _name(rng), _name(rng)) for _ in range(60))


def layers(rng: Random) -> str:
    """Write a network of the functional kind."""
    forms = (
        "x = Conv2D({}, ({}, {}), activation='relu', padding='same')(x)\n",
        "x = BatchNormalization()(x)\n",
        "x = Dropout({})(x)\n",
        "x = Dense({}, activation='relu')(x)\n",
        "x = Activation('relu')(x)\n",
    )
    return "".join(
        rng.choice(forms).format(_number(rng), _number(rng), _number(rng)) for _ in range(40)
    )


def ladder(rng: Random) -> str:
    """Write one case after the other."""
    cases = [
        f"    elif x {rng.choice(['==', '==', '<'])} {_value(rng)}:\n        return {_value(rng)}\n"
        for _ in range(40)
    ]
    return "def code(x):\n    if x is None:\n        return 0\n" + "".join(cases)


def plots(rng: Random) -> str:
    """Write plots, each like the one before."""
    frames = (f"plt.title({_text(rng)})\n", f"plt.xlabel({_text(rng)})\n", "plt.legend()\n")
    drawn = (
        "sns.countplot(x='{}', data=train)\n",
        "plt.hist(train['{}'], bins=30)\n",
        "sns.boxplot(x='{}', y='{}', data=train)\n",
        "train['{}'].value_counts().plot(kind='bar')\n",
    )
    lines = []
    for _ in range(16):
        lines.append("plt.figure(figsize=(9, 5))\n")
        lines.append(rng.choice(drawn).format(_name(rng), _name(rng)))
        lines += rng.sample(frames, rng.randrange(1, 4))
        lines.append("plt.show()\n")
    return "".join(lines)


def fields(rng: Random) -> str:
    """Write the fields of a class."""
    types = ("int", "float", "str", "bool")
    lines = [f"    {_name(rng)}: {rng.choice(types)} = {_value(rng)}\n" for _ in range(60)]
    return "@dataclass\nclass Config:\n" + "".join(lines)


def models(rng: Random) -> str:
    """Write models with their parameters."""
    lines = []
    for number in range(6):
        table = ", ".join(f"{_text(rng)}: {_value(rng)}" for _ in range(rng.randrange(8, 20)))
        words = ", ".join(f"{_name(rng)}={_number(rng)}" for _ in range(rng.randrange(4, 16)))
        lines.append(f"params{number} = {{{table}}}\nmodel{number} = Booster({words})\n")
    return "".join(lines)


ALL = (
    columns,
    settings,
    rows,
    matrix,
    arguments,
    features,
    layers,
    ladder,
    plots,
    fields,
    models,
)
