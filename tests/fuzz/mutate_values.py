"""Mutations of trees of dictionaries, lists and values, as JSON and TOML have them."""

import json
import tomllib

from rigview.tomlfile.format import inline, key
from tests.fuzz.mutate_bytes import HOSTILE_TEXTS, mutate_text

_NUMBERS = (
    *(1e-45, 1e-30, 3e38, -3e38, 1e300, float("nan"), float("inf"), -float("inf"), 2**53),
    *(0, 0.5, 1, -1, 2, 3, 10, 100.25, 1e-6, 1e6, -0.001),  # often valid
)


UNEXPECTED_VALUES = (
    *(None, True, False, 0, -0.0, -1, 1e-300, 1e18, -1e18, 2e18, 1e300, 10**400, 2**31, 2**64),
    *("", "x", "0", "/", "/nodes/0/weights", "~1", "\0", "é" * 300, [], {}, [[]], [None], [0] * 99),
)


def paths_of(value, path=()):
    """The paths of all values in a document."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*path, key)
            yield from paths_of(value[key], (*path, key))


def changed_value(rng, value):
    """A slightly changed value, or an unexpected one."""
    if rng.random() < 0.4:
        return rng.choice(UNEXPECTED_VALUES)
    if isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        return value[:at] + rng.choice(("", "/", "9", "extensions/", "KHR_")) + value[at + 1 :]
    if isinstance(value, list):
        return rng.choice(
            (
                value[:-1],
                value + value[-1:],
                value[::-1],
                [rng.choice(UNEXPECTED_VALUES)] * len(value),
            )
        )
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if rng.random() < 0.7}
        return rng.choice((kept, value | {"extensions": rng.choice(UNEXPECTED_VALUES)}))
    if isinstance(value, bool) or value is None or abs(value) > 1e200:
        return rng.choice(UNEXPECTED_VALUES)
    return value * rng.choice((-1, 0, 1e-30, 1e6, 1e17)) + rng.choice((0, 1, -1))


def mutate_tree(rng, tree, paths=None):
    """Change, delete, repeat or move a value at one of `paths` (default: any), in place."""
    paths = paths or list(paths_of(tree))
    if not paths:
        return
    *above, last = rng.choice(paths)
    owner = at_path(tree, above)
    kind = rng.randrange(12)
    if kind < 4:
        owner[last] = changed_value(rng, owner[last])
    elif kind == 4:
        owner[last] = rng.choice(HOSTILE_TEXTS)
    elif kind == 5:
        owner[last] = rng.choice(_NUMBERS)
    elif kind == 6:
        del owner[last]
    elif kind == 7:
        owner[last] = _copied(at_path(tree, rng.choice(paths)))
    elif kind == 8:
        owner[last] = nested(rng, rng.choice((5, 60, 500)))
    else:
        _move(rng, owner, last, kind)


def _move(rng, owner, last, kind):
    """Repeat an item, or rename, copy or wrap a value."""
    if isinstance(owner, list):
        times = rng.choice((1, 1, 2, 300))
        owner[last:last] = [_copied(owner[last]) for _ in range(times)]
    elif kind == 9:
        owner[rng.choice(HOSTILE_TEXTS)] = owner.pop(last)
    elif kind == 10:
        owner[rng.choice(list(owner))] = _copied(owner[last])
    else:
        owner[last] = [_copied(owner[last])]


def at_path(tree, path):
    """The value at a path."""
    for part in path:
        tree = tree[part]
    return tree


def nested(rng, depth):
    """A list or dictionary in itself."""
    value = rng.choice(UNEXPECTED_VALUES)
    for _ in range(depth):
        value = [value] if rng.random() < 0.5 else {"a": value}
    return value


def _copied(value):
    return json.loads(json.dumps(value))


def mutate_json(rng, data):
    """Change a value of a JSON text, or the text."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return mutate_text(rng, data)
    if rng.random() < 0.25 or not isinstance(tree, dict):
        return mutate_text(rng, data)
    try:
        mutate_tree(rng, tree)
        return json.dumps(tree).encode()
    except RecursionError:  # nested by several mutations
        return mutate_text(rng, data)


def mutate_toml(rng, data):
    """Change a value of a TOML text, or the text."""
    if rng.random() < 0.4:
        return mutate_text(rng, data)
    try:
        tree = tomllib.loads(data.decode())
        mutate_tree(rng, tree)
        lines = [f"{key(name)} = {inline(value)}" for name, value in tree.items()]
        return "\n".join(lines).encode("utf-8", "surrogatepass")
    except (ValueError, TypeError, RecursionError, AttributeError):  # e.g. dates, null
        return mutate_text(rng, data)
