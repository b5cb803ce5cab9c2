"""Files that violate the rules of glTF which the Khronos validator checks, one fault each.

`FAULTS` has a change of the figure for each of them, `EXPECTED` the rule that finds it (``""``:
loading refuses the file) and the code of the validator's error.
"""

import numpy as np

from tests.support.figure_changes import (
    animated,
    animated_matrix,
    array,
    attribute,
    bad_matrix_node,
    bounds,
    edited,
    moved,
    moved_view,
    node,
    odd_stride,
    out_of_scene,
    replaced,
    restart,
    shared_view,
    skin,
    skinned_without_joints,
    sparse,
    strided_indices,
    strided_keys,
    strided_matrices,
    tangents,
    target_override,
    targets,
    two_roots,
    typed_key_times,
    unbounded,
    used_twice,
)
from tests.support.rule_figure import HEAD, LEFT_ARM, LEFT_HAND, Figure


def file(*changes):
    """Return the figure with changes of its builder, as a GLB."""
    figure = Figure()
    figure.after.extend(changes)
    return figure.builder()


MOVES = np.zeros((3, 3))
TURNS = np.tile([0, 0, 0, 1.0], (3, 1))
FAULTS = {
    "bounds-min": bounds("POSITION", min=[-0.5, 0, 0]),
    "bounds-max": bounds("POSITION", max=[0.8, 1.8, 9]),
    "bounds-missing-position": unbounded("POSITION"),
    "bounds-missing-times": unbounded("input"),
    "bounds-times": bounds("input", max=[5]),
    "bounds-keys": bounds("output", min=[0, 0, 0, 0], max=[0, 0, 1, 1]),
    "bounds-indices": lambda b: b.json["accessors"][
        b.json["meshes"][0]["primitives"][0]["indices"]
    ].update(min=[0], max=[9]),
    "normal-length": edited("NORMAL", 3, [0, 0, 0.5]),
    "normal-zero": edited("NORMAL", 3, [0, 0, 0]),
    "tangent-length": tangents(2, 0, 0, 1),
    "tangent-sign": tangents(1, 0, 0, 0.5),
    "colour": replaced("COLOR_0", [[2, 0, 0, 1]] * 72),
    "offset": moved("NORMAL", 2),
    "offset-of-view": moved_view("NORMAL", 2),
    "offset-of-vertices": moved("JOINTS_0", 2),
    "stride-keys": strided_keys,
    "stride-matrices": strided_matrices,
    "stride-indices": strided_indices,
    "stride-odd": odd_stride,
    "stride-missing": shared_view,
    "node-rotation": node(HEAD, rotation=[0, 0, 0.5, 0.5]),
    "node-matrix-and-trs": node(HEAD, matrix=np.eye(4).ravel().tolist()),
    "node-matrix-row": lambda b: (
        bad_matrix_node(b),
        b.json["nodes"][LEFT_HAND]["matrix"].__setitem__(3, 0.5),
    ),
    "node-weights": lambda b: (targets(1)(b), b.json["nodes"][7].update(weights=[0, 0])),
    "skin-skeleton": skin(skeleton=LEFT_ARM),
    "skin-two-roots": two_roots,
    "skin-scene": out_of_scene,
    "skin-joint-twice": skin(joints=[0, 1, 2, 3, 4, 5, 5]),
    "skin-rigid-mesh": skinned_without_joints,
    "skin-few-matrices": lambda b: b.json["skins"][0].update(
        inverseBindMatrices=b.accessor(np.tile(np.eye(4).ravel(), (3, 1)))
    ),
    "skin-matrix-row": lambda b: b.json["skins"][0].update(
        inverseBindMatrices=b.accessor(np.tile((np.eye(4) + np.eye(4, k=3)).ravel(), (7, 1)))
    ),
    "skin-matrix-type": lambda b: b.json["skins"][0].update(
        inverseBindMatrices=b.accessor(np.zeros((7, 16)), "int16")
    ),
    "joint-out-of-range": edited("JOINTS_0", 0, [9, 0, 0, 0]),
    "joint-out-of-range-idle": edited("JOINTS_0", 0, [0, 9, 0, 0]),
    "joint-twice": lambda b: (
        edited("JOINTS_0", 0, [1, 1, 0, 0])(b),
        edited("WEIGHTS_0", 0, [0.5, 0.5, 0, 0])(b),
    ),
    "weight-negative": edited("WEIGHTS_0", 0, [1.5, -0.5, 0, 0]),
    "weight-sum": edited("WEIGHTS_0", 0, [0.5, 0, 0, 0]),
    "weight-nan": edited("WEIGHTS_0", 0, [np.nan, 0, 0, 0]),
    "position-nan": edited("TEXCOORD_0", 0, [np.nan, 0]),
    "joints-only": lambda b: b.json["meshes"][0]["primitives"][0]["attributes"].pop("WEIGHTS_0"),
    "attribute-gap": lambda b: replaced("TEXCOORD_2", np.zeros((72, 2)))(b),
    "attribute-name": replaced("CLOTH", np.zeros((72, 2))),
    "attribute-count": replaced("TEXCOORD_1", np.zeros((70, 2))),
    "attribute-type": replaced("TEXCOORD_1", np.zeros((72, 3))),
    "attribute-short": lambda b: replaced(
        "POSITION",
        np.concatenate((array(b, "POSITION") * 100, np.zeros((72, 1))), axis=1),
        "int16",
        type="VEC3",
    )(b),
    "attribute-uint32": replaced("TEXCOORD_1", np.zeros((72, 2)), "uint32"),
    "attribute-normalized": lambda b: attribute(b, "NORMAL").update(normalized=True),
    "indices-type": lambda b: b.json["meshes"][0]["primitives"][0].update(
        indices=b.accessor(np.zeros(3), "int16")
    ),
    "indices-range": lambda b: b.json["meshes"][0]["primitives"][0].update(
        indices=b.accessor([0, 1, 99], "uint16")
    ),
    "indices-restart": restart,
    "sparse-order": sparse([5, 3]),
    "sparse-range": sparse([5, 300]),
    "targets-unequal": targets(1, 2),
    "targets-weights": targets(1, weights=[0, 0]),
    "targets-base": targets(1, names=("POSITION", "TANGENT")),
    "targets-count": targets(1, size=70),
    "targets-nan": lambda b: (
        targets(1)(b),
        b.json["meshes"][0]["primitives"][0]["targets"][0].update(
            POSITION=b.accessor(np.full((72, 3), np.nan))
        ),
    ),
    "accessor-two-uses": used_twice,
    "view-target": target_override,
    "clip-of-matrix": animated_matrix,
    "clip-weights-without-targets": animated("weights", [[0], [1], [0]], target=7),
    "clip-target-twice": lambda b: (
        animated("translation", MOVES)(b),
        animated("translation", MOVES)(b),
    ),
    "clip-times-type": typed_key_times,
    "clip-times-negative": animated("translation", MOVES, [-1, 0, 1]),
    "clip-times-order": animated("translation", MOVES, [0, 1, 0.5]),
    "clip-times-equal": animated("translation", MOVES, [0, 0.5, 0.5]),
    "clip-times-nan": animated("translation", MOVES, [0, np.nan, 1], min=[0], max=[1]),
    "clip-few-values": animated("translation", MOVES[:2]),
    "clip-more-values": animated("translation", np.zeros((4, 3))),
    "clip-values-type": animated("translation", np.zeros((3, 4))),
    "clip-values-short": animated("translation", np.zeros((3, 3)), dtype="int16"),
    "clip-cubic-one-key": animated(
        "translation", np.zeros((3, 3)), [0.0], interpolation="CUBICSPLINE"
    ),
    "clip-rotation-length": animated("rotation", TURNS * 1.2),
    "clip-values-nan": animated("translation", MOVES + np.nan),
}
REFUSED = ""
EXPECTED = {
    "bounds-min": ("accessor-bounds", "ACCESSOR_MIN_MISMATCH"),
    "bounds-max": ("accessor-bounds", "ACCESSOR_MAX_MISMATCH"),
    "bounds-missing-position": (
        "accessor-bounds",
        "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
    ),
    "bounds-missing-times": ("accessor-bounds", "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS"),
    "bounds-times": ("accessor-bounds", "ACCESSOR_MAX_MISMATCH"),
    "bounds-keys": ("accessor-bounds", "ACCESSOR_MIN_MISMATCH"),
    "bounds-indices": ("accessor-bounds", "ACCESSOR_MAX_MISMATCH"),
    "normal-length": ("mesh-unit-length", "ACCESSOR_VECTOR3_NON_UNIT"),
    "normal-zero": ("mesh-unit-length", "ACCESSOR_VECTOR3_NON_UNIT"),
    "tangent-length": ("mesh-unit-length", "ACCESSOR_VECTOR3_NON_UNIT"),
    "tangent-sign": ("mesh-tangent-sign", "ACCESSOR_INVALID_SIGN"),
    "colour": ("mesh-color-range", "ACCESSOR_NON_CLAMPED"),
    "offset": ("accessor-alignment", "ACCESSOR_OFFSET_ALIGNMENT"),
    "offset-of-view": ("accessor-alignment", "ACCESSOR_TOTAL_OFFSET_ALIGNMENT"),
    "offset-of-vertices": ("accessor-alignment", "MESH_PRIMITIVE_ACCESSOR_UNALIGNED"),
    "stride-keys": ("accessor-stride", "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"),
    "stride-matrices": ("accessor-stride", "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE"),
    "stride-indices": ("accessor-stride", "MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE"),
    "stride-odd": ("accessor-stride", "VALUE_MULTIPLE_OF"),
    "stride-missing": ("accessor-stride", "MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE"),
    "node-rotation": ("rest-rotation-length", "ROTATION_NON_UNIT"),
    "node-matrix-and-trs": ("node-matrix", "NODE_MATRIX_TRS"),
    "node-matrix-row": ("node-matrix", "NODE_MATRIX_NON_TRS"),
    "node-weights": ("file", "NODE_WEIGHTS_INVALID"),
    "skin-skeleton": ("skin-skeleton", "SKIN_SKELETON_INVALID"),
    "skin-two-roots": ("skin-root", "SKIN_NO_COMMON_ROOT"),
    "skin-scene": ("skin-scene", "NODE_SKIN_NO_SCENE"),
    "skin-joint-twice": ("skin-joint-twice", "DUPLICATE_ELEMENTS"),
    "skin-rigid-mesh": ("weights-missing", "NODE_SKIN_WITH_NON_SKINNED_MESH"),
    "skin-few-matrices": (REFUSED, "INVALID_IBM_ACCESSOR_COUNT"),
    "skin-matrix-row": ("bind-last-row", "ACCESSOR_INVALID_IBM"),
    "skin-matrix-type": (REFUSED, "SKIN_IBM_INVALID_FORMAT"),
    "joint-out-of-range": (REFUSED, "ACCESSOR_JOINTS_INDEX_OOB"),
    "joint-out-of-range-idle": ("weights-range", "ACCESSOR_JOINTS_INDEX_OOB"),
    "joint-twice": ("weights-twice", "ACCESSOR_JOINTS_INDEX_DUPLICATE"),
    "weight-negative": ("weights-negative", "ACCESSOR_WEIGHTS_NEGATIVE"),
    "weight-sum": ("weights-sum", "ACCESSOR_WEIGHTS_NON_NORMALIZED"),
    "weight-nan": ("weights-nan", "ACCESSOR_INVALID_FLOAT"),
    "position-nan": ("mesh-nan", "ACCESSOR_INVALID_FLOAT"),
    "joints-only": ("weights-missing", "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH"),
    "attribute-gap": ("mesh-attributes", "MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY"),
    "attribute-name": ("mesh-attributes", "MESH_PRIMITIVE_INVALID_ATTRIBUTE"),
    "attribute-count": (REFUSED, "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT"),
    "attribute-type": (REFUSED, "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"),
    "attribute-short": ("accessor-format", "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"),
    "attribute-uint32": (REFUSED, "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"),
    "attribute-normalized": ("accessor-format", "ACCESSOR_NORMALIZED_INVALID"),
    "indices-type": (REFUSED, "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT"),
    "indices-range": (REFUSED, "ACCESSOR_INDEX_OOB"),
    "indices-restart": ("file", "ACCESSOR_INDEX_PRIMITIVE_RESTART"),
    "sparse-order": ("accessor-sparse", "ACCESSOR_SPARSE_INDICES_NON_INCREASING"),
    "sparse-range": (REFUSED, "ACCESSOR_SPARSE_INDEX_OOB"),
    "targets-unequal": ("file", "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT"),
    "targets-weights": ("file", "MESH_INVALID_WEIGHTS_COUNT"),
    "targets-base": ("morph-attributes", "MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR"),
    "targets-count": (REFUSED, "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT"),
    "targets-nan": ("file", "ACCESSOR_INVALID_FLOAT"),
    "view-target": ("accessor-shared", "BUFFER_VIEW_TARGET_OVERRIDE"),
    "clip-of-matrix": ("node-matrix", "ANIMATION_CHANNEL_TARGET_NODE_MATRIX"),
    "clip-weights-without-targets": ("file", "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS"),
    "clip-target-twice": ("file", "ANIMATION_DUPLICATE_TARGETS"),
    "clip-times-type": ("accessor-format", "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT"),
    "clip-times-negative": ("file", "ACCESSOR_ANIMATION_INPUT_NEGATIVE"),
    "clip-times-order": ("file", "ACCESSOR_ANIMATION_INPUT_NON_INCREASING"),
    "clip-times-equal": ("file", "ACCESSOR_ANIMATION_INPUT_NON_INCREASING"),
    "clip-times-nan": (REFUSED, "ACCESSOR_INVALID_FLOAT"),
    "clip-few-values": (REFUSED, "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT"),
    "clip-more-values": ("file", "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT"),
    "clip-values-type": (REFUSED, "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT"),
    "clip-values-short": ("accessor-format", "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT"),
    "clip-cubic-one-key": ("spline-keys", "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS"),
    "clip-rotation-length": (
        "rotation-length",
        "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
    ),
    "clip-values-nan": (REFUSED, "ACCESSOR_INVALID_FLOAT"),
    "accessor-two-uses": ("accessor-shared", "ACCESSOR_USAGE_OVERRIDE"),
}
