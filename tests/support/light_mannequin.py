"""The bundled character with fewer clips and smaller textures, which is faster to load."""

from functools import cache
from io import BytesIO

from PIL import Image

from rigview.gltf.document import open_document
from rigview.gltf.unused_accessors import merge_buffers
from rigview.resources import asset_path
from tests.support.gltf_documents import make_glb
from tests.support.one_mannequin import share_model

SIDE = 256  # pixels of a picture; it has more in the file itself


@cache
def light_mannequin(clips: frozenset[str]) -> bytes:
    """A GLB with these clips only, and without the bytes of the others."""
    document = open_document(asset_path("mannequin.glb"))
    made = document.copied_json()
    made["animations"] = [each for each in made["animations"] if each["name"] in clips]
    blob, chunk = merge_buffers(document, made), bytearray()
    pictures = {image["bufferView"] for image in made["images"]}
    for number, view in enumerate(made["bufferViews"]):
        start = view.get("byteOffset", 0)
        data = bytes(blob[start : start + view["byteLength"]])
        if number in pictures:
            data = _smaller(data)
        view["byteOffset"], view["byteLength"] = len(chunk), len(data)
        chunk += data + bytes(-len(data) % 4)
    made["buffers"][0]["byteLength"] = len(chunk)
    return share_model(make_glb(made, chunk))


def _smaller(picture: bytes) -> bytes:
    small = BytesIO()
    Image.open(BytesIO(picture)).resize((SIDE, SIDE)).save(small, "JPEG", quality=95)
    return small.getvalue()
