"""Makes tests/oracle: the small files, the numbers of every file, and their index.

THREE_DIR=FOLDER python -m tests.tools.oracle.make

FOLDER is where `npm install three@0.187.0` was run. Without node and three.js the numbers are the
same, with --no-three; the index then has no second witness.
"""

import argparse
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.tools.oracle import samples, small, small_skins, witness
from tests.tools.oracle.builder import Builder
from tests.tools.oracle.document import F64, read
from tests.tools.oracle.evaluate import Evaluation, Instance, Reading
from tests.tools.oracle.numbers import QUANTITIES, Arrays, differences, evaluate, size

ROOT = Path(__file__).resolve().parents[3]
ORACLE = ROOT / "tests" / "oracle"
CHARACTER = ROOT / "assets" / "mannequin.glb"

SMALL: dict[str, Callable[[], Builder]] = {
    each.__name__: each
    for each in (
        small.interpolations,
        small.arcs,
        small.mirrors,
        small.morphs,
        small.integers,
        small_skins.skins,
        small_skins.influences,
        small_skins.several,
    )
}
MOST_VERTICES = 48  # of a primitive


def main() -> None:
    """Make everything again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-three", action="store_true", help="do without three.js")
    options = parser.parse_args()
    three = None if options.no_three else witness.folder()
    if three is None and not options.no_three:
        parser.error("node, or three.js in THREE_DIR, is not here; --no-three does without")
    (ORACLE / "models").mkdir(parents=True, exist_ok=True)
    rows = []
    for name, make in SMALL.items():
        path = ORACLE / "models" / f"{name}.gltf"
        path.write_text(make().text(), newline="\n")
        rows.append(write(path, samples.thorough, three))
    rows.append(write(CHARACTER, samples.brief, three))
    index = {"models": rows}
    (ORACLE / "index.json").write_text(json.dumps(index, indent=1) + "\n", newline="\n")


def write(
    path: Path, choose: Callable[[Evaluation], list[samples.Sample]], three: Path | None
) -> dict[str, Any]:
    """Write the .npz of a file; return its row of the index."""
    document = read(path)
    evaluation = Evaluation(document, Reading())
    times = choose(evaluation)
    chosen = [
        samples.vertices(each.count, moved_by_targets(evaluation, each), MOST_VERTICES)
        for each in evaluation.instances
    ]
    numbers = evaluate(evaluation, times, chosen)
    scene_size = size(numbers["aabb"][0])
    numbers["ambiguity"] = ambiguity(evaluation, times, chosen, numbers, scene_size)
    seen = None
    if three is not None:
        told, seen = witness.ask(three, path, evaluation, times, chosen)
        numbers["three_diff"] = differences(told, numbers, scene_size)
        seen["max_difference"] = greatest(numbers["three_diff"])
    meta = description(path, evaluation, times) | {"scene_size": scene_size, "three": seen}
    save(meta, numbers, times, chosen)
    kept = {name: meta[name] for name in ("key", "file", "sha256", "scene_size", "three")}
    return kept | {
        "samples": len(times),
        "clips": len(evaluation.clips),
        "max_ambiguity": greatest(numbers["ambiguity"]),
    }


def moved_by_targets(evaluation: Evaluation, instance: Instance) -> np.ndarray:
    """Return which vertices any morph target moves."""
    mesh = evaluation.document.json["meshes"][instance.mesh]
    targets = mesh["primitives"][instance.primitive].get("targets", [])
    moved = np.zeros(instance.count, bool)
    for target in targets:
        if "POSITION" in target:
            moved |= evaluation.document.accessor(target["POSITION"]).any(axis=1)
    return np.flatnonzero(moved)


def ambiguity(
    evaluation: Evaluation,
    times: list[samples.Sample],
    chosen: list[np.ndarray],
    numbers: Arrays,
    scene_size: float,
) -> F64:
    """Return how far the other readings lie from this one [S, 6]."""
    apart = np.zeros((len(times), len(QUANTITIES)))
    for reading in (Reading(unit_rotations=True), Reading(divided_weights=False)):
        other = evaluate(Evaluation(evaluation.document, reading), times, chosen)
        np.maximum(apart, differences(other, numbers, scene_size), out=apart)
    return apart


def greatest(apart: F64) -> dict[str, float]:
    """Return the greatest of every quantity [S, 6], in three digits."""
    return {
        name: float(f"{each:.2e}") for name, each in zip(QUANTITIES, apart.max(axis=0), strict=True)
    }


def description(path: Path, evaluation: Evaluation, times: list[samples.Sample]) -> dict[str, Any]:
    """Return what `meta` says of a file."""
    layout, offset = [], 0
    for node, weights in evaluation.rest.weights.items():
        layout.append({"node": node, "offset": offset, "count": len(weights)})
        offset += len(weights)
    return {
        "schema": 1,
        "key": path.stem,
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "nodes": len(evaluation.nodes),
        "node_names": [node.get("name") for node in evaluation.nodes],
        "parents": evaluation.parents.tolist(),
        "scene_nodes": evaluation.scene_nodes,
        "skins": [{"joints": skin["joints"]} for skin in evaluation.document.all("skins")],
        "skinned_mesh_nodes": [
            {"node": n, "skin": node["skin"]}
            for n, node in enumerate(evaluation.nodes)
            if "skin" in node
        ],
        "weights_layout": layout,
        "instances": [
            {
                "node": each.node,
                "mesh": each.mesh,
                "primitive": each.primitive,
                "skin": each.skin,
                "vertex_count": each.count,
                "in_scene": each.in_scene,
            }
            for each in evaluation.instances
        ],
        "labels": [sample.label for sample in times],
        "quantities": list(QUANTITIES),
    }


def save(
    meta: dict[str, Any],
    numbers: Arrays,
    times: list[samples.Sample],
    chosen: list[np.ndarray],
) -> None:
    """Write a .npz: poses in float32, times, bounds and differences in float64."""
    wide = ("aabb", "ambiguity", "three_diff")
    arrays = {
        name: values if name in wide else values.astype(np.float32)
        for name, values in numbers.items()
    }
    arrays |= {f"vidx_{i}": indices.astype(np.int32) for i, indices in enumerate(chosen)}
    arrays["clip"] = np.array([sample.clip for sample in times], np.int32)
    arrays["time"] = np.array([sample.time for sample in times])
    arrays["loop"] = np.array([sample.loop for sample in times])
    arrays["t_eff"] = np.array([sample.t_eff for sample in times])
    arrays["meta"] = np.frombuffer(json.dumps(meta).encode(), np.uint8)
    np.savez_compressed(ORACLE / f"{meta['key']}.npz", **arrays)


if __name__ == "__main__":
    main()
