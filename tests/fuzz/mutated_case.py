"""Cases with a mutated file: scenarios, the sequence of a seed, and one for a given file."""

import json
import random
from dataclasses import dataclass
from functools import partial

from tests.fuzz.case import Case
from tests.fuzz.mutate_bytes import mutate_text
from tests.fuzz.mutate_gltf import mutate_gltf
from tests.support.gltf_documents import make_glb, split_glb


@dataclass(frozen=True)
class Scenario:
    """A kind of mutated file.

    Attributes
    ----------
    share
        Of all cases, in percent.
    mutate
        One mutation of the bytes.
    make
        A function from a random generator to a valid case; `mutated` is the file to change.
    counts
        Numbers of mutations, one of which is drawn.
    """

    name: str
    share: float
    mutate: object
    make: object
    counts: tuple[int, ...] = (1, 1, 1, 1, 2, 2, 4)


@dataclass(frozen=True)
class Mutated:
    """A valid case, and the seeds of the mutations of its file."""

    scenario: Scenario
    valid: Case
    seeds: tuple[int, ...]

    def case(self, seeds=None):
        """The case with the mutations of some seeds, by default all."""
        name = self.valid.mutated
        if not name:
            return self.valid
        data = self.valid.files[name]
        mutate = self.scenario.mutate or (mutate_text if name.endswith(".bvh") else mutate_gltf)
        for seed in self.seeds if seeds is None else seeds:
            data = mutate(random.Random(seed), data)
        return self.valid.with_file(name, data)


def mutated_case(seed, number, scenarios):
    """Case `number` of the sequence of a seed; the same on every machine."""
    rng = random.Random(f"{seed}/{number}")
    (scenario,) = rng.choices(scenarios, [each.share for each in scenarios])
    valid = scenario.make(rng)
    seeds = tuple(rng.getrandbits(48) for _ in range(rng.choice(scenario.counts)))
    return Mutated(scenario, valid, seeds)


def file_scenario(path, commands, changes):
    """The scenario of one file, by any of some commands, with the `CHANGES` of some names."""
    files = {"a.glb": read_as_glb(path)} | pictures_beside(path)

    def make(rng):
        return Case((rng.choice(commands),), files, "a.glb")

    return Scenario(path.name, 1, partial(mutate_gltf, names=changes), make, (1,))


def read_as_glb(path):
    """The bytes of a file; a .gltf with one external buffer becomes a GLB."""
    data = path.read_bytes()
    if data[:4] == b"glTF":
        return data
    document = json.loads(data)
    buffer, *more = document["buffers"]
    if more or buffer["uri"].startswith("data:"):
        return data
    blob = (path.parent / buffer.pop("uri")).read_bytes()
    return make_glb(document, blob)


def pictures_beside(path):
    """The pictures that a .gltf refers to, by their URIs."""
    rows = json.loads(split_glb(path.read_bytes())[0]).get("images", ())
    names = [row["uri"] for row in rows if "uri" in row]
    return {
        name: (path.parent / name).read_bytes() for name in names if (path.parent / name).is_file()
    }
