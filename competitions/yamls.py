"""Reading YAML that people wrote: definitions, policies, configurations. Hostile files are told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from competitions.errors import InvalidDefinitionError
from competitions.problems import yaml_problem

if TYPE_CHECKING:
    from pathlib import Path

MAX_YAML_BYTES = 1 << 20


class _Loader(yaml.SafeLoader):
    """The safe loader with YAML 1.2's booleans: `on`, `off`, `yes` and `no` stay words.

    A key that is written twice is refused: the safe loader would take the last one and be silent.
    """

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - as PyYAML has it
        """See `yaml.SafeLoader`; merge keys (``<<``) may be overridden."""
        seen: set[str] = set()
        for key, _ in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else None
            if name is not None and name in seen and name != "<<":
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {name!r} is there twice", key.start_mark
                )
            seen.add(name or "")
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML mapping with the safe loader.

    Raises
    ------
    InvalidDefinitionError
        When the file is larger than 1 MiB, not UTF-8, not YAML, nested too deeply, names a key
        twice, or is no mapping.
    """
    with path.open("rb") as stream:
        raw = stream.read(MAX_YAML_BYTES + 1)
    if len(raw) > MAX_YAML_BYTES:
        raise InvalidDefinitionError(path, [f"larger than {MAX_YAML_BYTES >> 20} MiB"])
    try:
        content = yaml.load(raw.decode("utf-8"), Loader=_Loader)  # noqa: S506 - safe
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidDefinitionError(path, [yaml_problem(error, path.name)]) from error
    except RecursionError as error:
        raise InvalidDefinitionError(path, ["nested too deeply"]) from error
    except (
        ValueError,
        OverflowError,
    ) as error:  # a number of thousands of digits, the 31st of June
        raise InvalidDefinitionError(path, [f"a value cannot be read: {error}"]) from error
    if not isinstance(content, dict):
        found = "an empty file" if content is None else type(content).__name__
        raise InvalidDefinitionError(path, [f"expected a mapping, found {found}"])
    return content
