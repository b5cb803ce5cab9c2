"""The bundled character with fewer clips and smaller textures, which is faster to load."""

from functools import cache
from io import BytesIO

from PIL import Image

from rigview.gltf.document import open_document
from rigview.resources import asset_path
from tests.support.gltf_documents import make_glb
from tests.support.one_mannequin import share_model

SIDE = 256  # pixels of a picture; it has more in the file itself


@cache
def light_mannequin(clips: frozenset[str]) -> bytes:
    """A GLB with these clips only."""
    document = open_document(asset_path("mannequin.glb"))
    made, chunk = document.json, bytearray(document.chunk)
    made["animations"] = [each for each in made["animations"] if each["name"] in clips]
    for image in made["images"]:
        view = made["bufferViews"][image["bufferView"]]
        start = view.get("byteOffset", 0)
        data = bytes(chunk[start : start + view["byteLength"]])
        small = BytesIO()
        Image.open(BytesIO(data)).resize((SIDE, SIDE)).save(small, "JPEG", quality=95)
        view["byteOffset"], view["byteLength"] = len(chunk), small.tell()
        chunk += small.getvalue() + bytes(-small.tell() % 4)
    made["buffers"][0]["byteLength"] = len(chunk)
    return share_model(make_glb(made, chunk))
