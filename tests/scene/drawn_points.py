"""Positions of the drawn vertices of a model, computed on the CPU."""

from rigview.animation.morph import morph_points
from rigview.animation.skin import skin_points


def drawn_points(model, pose):
    matrices = model.skeleton.to_model(pose)
    for instance in model.instances:
        for primitive in model.meshes[instance.mesh].primitives:
            points = primitive.positions
            if primitive.morph is not None:
                weights = pose.values[model.channels[instance.channel].slice]
                points = morph_points(points, primitive.morph.positions, weights)
            if instance.skin >= 0:
                palette = model.skins[instance.skin].palette(matrices)
                yield skin_points(points, primitive.joints, primitive.weights, palette)
            else:
                matrix = matrices[instance.joint]
                yield points @ matrix[:3, :3].T + matrix[:3, 3]
