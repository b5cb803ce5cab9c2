import base64
import threading
import zlib
from io import BytesIO

import numpy as np
import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.errors import GltfError
from rigview.gltf import image_decoding, images
from rigview.gltf.images import PIXEL_BYTES, decode_all, fitting_halvings
from rigview.loading.load import load
from rigview.model.model import Image
from tests.support.gltf_documents import Builder

PIXELS = np.array([[[255, 0, 0, 255], [0, 255, 0, 255]], [[0, 0, 255, 255], [9, 9, 9, 128]]], "u1")


def encode(kind, array=PIXELS, **options):
    out = BytesIO()
    picture = PIL.Image.fromarray(array)
    if kind == "JPEG":
        picture = picture.convert("RGB")
    picture.save(out, kind, **options)
    return out.getvalue()


def data_uri(data, media="image/png"):
    return f"data:{media};base64,{base64.b64encode(data).decode()}"


def first(b, **options):
    model = b.load(**options)
    return model.images[0], model


def test_png_in_a_buffer_view():
    b = Builder()
    data = encode("PNG")
    b.add("images", bufferView=b.view(data), mimeType="image/png", name="Face")
    image, model = first(b)
    assert (image.name, image.nbytes, image.decoded) == ("Face", len(data), False)
    np.testing.assert_array_equal(image.pixels, PIXELS)
    assert image.decoded
    assert image.pixels is image.pixels
    assert image.pixels.flags.writeable
    assert model.warnings == []


@pytest.mark.parametrize("media", ["image/png", "image/jpeg", "application/x", ""])
def test_media_type_is_ignored(media):
    b = Builder()
    b.add("images", uri=data_uri(encode("PNG"), media))
    image, _ = first(b)
    np.testing.assert_array_equal(image.pixels, PIXELS)
    assert image.nbytes > 0


def test_webp_and_jpeg():
    b = Builder()
    b.add("images", uri=data_uri(encode("WEBP", lossless=True, exact=True)))
    flat = np.full((8, 8, 4), (200, 100, 50, 255), np.uint8)
    b.add("images", uri=data_uri(encode("JPEG", flat, quality=95)))
    webp, jpeg = b.load().images
    np.testing.assert_array_equal(webp.pixels, PIXELS)
    assert jpeg.pixels.shape == (8, 8, 4)
    assert np.abs(jpeg.pixels.astype(int) - flat).max() < 6


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_png_becomes_rgba(mode):
    gray = np.array([[0, 255], [255, 0]], np.uint8)
    if mode == "I;16":
        picture = PIL.Image.fromarray(gray.astype(np.uint16) * 257)
    else:
        picture = PIL.Image.fromarray(gray).convert(mode)
    out = BytesIO()
    picture.save(out, "PNG")
    b = Builder()
    b.add("images", uri=data_uri(out.getvalue()))
    image, model = first(b)
    np.testing.assert_array_equal(image.pixels[..., 0], gray)
    np.testing.assert_array_equal(image.pixels[..., 3], 255)
    assert image.pixels.dtype == np.uint8
    assert model.warnings == []


def test_a_palette_with_a_transparent_colour():
    out = BytesIO()
    picture = PIL.Image.fromarray(np.array([[0, 1]], np.uint8), "P")
    picture.putpalette([255, 0, 0, 0, 255, 0])
    picture.save(out, "PNG", transparency=bytes([255, 0]))
    b = Builder()
    b.add("images", uri=data_uri(out.getvalue()))
    image, model = first(b)
    np.testing.assert_array_equal(image.pixels, [[[255, 0, 0, 255], [0, 255, 0, 0]]])
    assert model.warnings == []


def test_external_file(tmp_path):
    (tmp_path / "my face.png").write_bytes(encode("PNG"))
    b = Builder()
    b.add("images", uri="my%20face.png")
    (tmp_path / "body.gltf").write_bytes(b.gltf())
    model = load(tmp_path / "body.gltf")
    assert model.images[0].name == "my%20face.png"
    np.testing.assert_array_equal(model.images[0].pixels, PIXELS)


def test_missing_file_warns_and_is_a_neutral_pixel(tmp_path):
    b = Builder()
    b.add("images", uri="none.png")
    b.add("images", uri="bumps.png")
    b.add("images")
    b.add("textures", source=1)
    b.add("materials", normalTexture={"index": 0})
    (tmp_path / "body.gltf").write_bytes(b.gltf())
    model = load(tmp_path / "body.gltf")
    assert [w.split(":")[0] for w in model.warnings] == ["/images/0", "/images/1", "/images/2"]
    white, flat, nothing = (image.pixels.tolist() for image in model.images)
    assert white == nothing == [[[255, 255, 255, 255]]]
    assert flat == [[[128, 128, 255, 255]]]
    assert model.images[0].nbytes == 0
    assert len(model.warnings) == 3


def test_model_from_bytes_loads_without_external_images():
    b = Builder()
    b.add("images", uri="none.png")
    image, model = first(b)
    assert image.pixels.shape == (1, 1, 4)
    assert "folder of the model is unknown" in model.warnings[0]


@pytest.mark.parametrize("uri", ["../secret.png", "https://example.com/a.png", "file:///a.png"])
def test_image_outside_the_folder_raises(tmp_path, uri):
    b = Builder()
    b.add("images", uri=uri)
    (tmp_path / "body.gltf").write_bytes(b.gltf())
    with pytest.raises(GltfError) as caught:
        load(tmp_path / "body.gltf")
    assert caught.value.place == "/images/0/uri"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a",
        encode("PNG")[:40],
        encode("PNG")[:-30],
        encode("JPEG")[:100],
        encode("WEBP")[:30],
        b"\x89PNG\r\n\x1a\n" + bytes(50),
    ],
)
def test_corrupt_image_warns_when_decoded(data):
    b = Builder()
    b.add("images", uri=data_uri(data))
    image, model = first(b)
    assert model.warnings == []
    assert image.pixels.tolist() == [[[255, 255, 255, 255]]]
    assert "/images/0: the image cannot be read" in model.warnings[0]


def test_image_of_another_format_warns():
    b = Builder()
    b.add("images", uri=data_uri(b"GIF89a"))
    image, model = first(b)
    image.decode()
    assert model.warnings[0].endswith(
        "the image cannot be read: it is not PNG, JPEG, WebP, AVIF or KTX 2; "
        "the texture is not shown"
    )


def test_invalid_data_uri_warns():
    b = Builder()
    b.add("images", uri="data:nothing")
    image, model = first(b)
    assert image.pixels.shape == (1, 1, 4)
    assert "comma" in model.warnings[0]


def test_a_decompression_bomb_is_not_decoded():
    data = bytearray(encode("PNG"))
    data[16:24] = (30_000).to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    b = Builder()
    b.add("images", uri=data_uri(bytes(data)))
    image, model = first(b)
    assert image.pixels.shape == (1, 1, 4)
    assert "30000 × 30000 pixels exceed the limit" in model.warnings[0]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_images_beyond_the_memory_are_halved(kind):
    """The largest ones first, whatever the order of decoding; their size in the file is kept."""
    b = Builder()
    for k, width in enumerate((16, 64, 64, 32)):
        picture = np.full((32, width, 3), (10, 200, 90), np.uint8)
        picture[:, : width // 2] = 50
        b.add("images", uri=data_uri(encode(kind, picture) + bytes([k])))  # no two are equal
    model = load(b.gltf(), max_memory=40_000)
    for image in reversed(model.images):
        image.decode()
    shapes = [image.pixels.shape[:2] for image in model.images]
    assert shapes == [(32, 16), (16, 32), (32, 64), (32, 32)]
    assert model.images[1].size == (64, 32)
    assert model.warnings == [
        "/images/1: 64 × 32 pixels are reduced to 32 × 16: the textures need more than the memory "
        "limit of 39.1 KiB"
    ]
    small = model.images[1].pixels
    np.testing.assert_allclose(small[4:12, 20:28], np.full((8, 8, 4), (10, 200, 90, 255)), atol=4)
    np.testing.assert_allclose(small[4:12, 4:12, :3], 50, atol=4)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "I;16"])
def test_images_are_halved_in_strips(mode, monkeypatch):
    """As if they were averaged as a whole, with an odd number of rows and of strips."""
    values = np.random.default_rng(3).integers(0, 256, (23, 40, 4), np.uint8)
    if mode == "I;16":
        picture = PIL.Image.fromarray(values[..., 0].astype(np.uint16) * 256)
        whole = PIL.Image.fromarray(values[..., 0])
    else:
        whole = picture = PIL.Image.fromarray(values).convert(mode)
    out = BytesIO()
    picture.save(out, "PNG")
    b = Builder()
    b.add("images", uri=data_uri(out.getvalue()))
    monkeypatch.setattr(image_decoding, "_STRIP", 40 * 6)
    image, model = first(b, max_memory=4000)
    expected = (whole.convert("RGBA") if mode == "P" else whole).reduce(2).convert("RGBA")
    np.testing.assert_array_equal(image.pixels, expected)
    assert "40 × 23 pixels are reduced to 20 × 11" in model.warnings[0]


def test_an_image_that_takes_more_memory_to_decode_is_not_decoded(monkeypatch):
    b = Builder()
    b.add("images", uri=data_uri(encode("WEBP", np.zeros((64, 64, 3), np.uint8))))
    monkeypatch.setattr(images, "decode", None)
    image, model = first(b, max_memory=40_000)
    assert image.pixels.shape == (1, 1, 4)
    assert "decoding it takes 64 KiB, more than the memory limit of 39.1 KiB" in model.warnings[0]


def test_images_that_are_decoded_at_once_fit_into_their_share_of_the_memory(monkeypatch):
    """At most two of the small images at once, and each large image alone."""
    at_once, most, lock = [], {}, threading.Lock()

    def decode(data, _halvings):
        with lock:
            at_once.append(len(data))
            for size in at_once:
                most[size] = max(most.get(size, 0), len(at_once))
        threading.Event().wait(0.02)
        with lock:
            at_once.remove(len(data))
        return PIXELS

    monkeypatch.setattr(images, "decode", decode)
    monkeypatch.setattr(images.os, "cpu_count", lambda: 4)
    b = Builder()
    small, large = (encode("PNG", np.zeros((side, side), np.uint8)) for side in (8, 64))
    for k, data in enumerate((small, small, small, small, large, large)):
        b.add("images", uri=data_uri(data + bytes([k])))  # no two images are equal
    decode_all(b.load(max_memory=4 * 600).images)  # 256 and 16,384 bytes while they are decoded
    assert most[len(small) + 1] <= 2
    assert len(large) + 1 not in most
    most.clear()
    decode_all(b.load(max_memory=4 * 15_000).images)
    assert most[len(large) + 1] == 1


@given(
    st.lists(st.tuples(st.integers(1, 9000), st.integers(1, 9000)), max_size=12),
    st.integers(1, 1 << 30),
)
def test_halved_images_fit(sizes, memory):
    halvings = fitting_halvings(sizes, memory)
    shown = [[max(1, side >> k) for side in size] for size, k in zip(sizes, halvings, strict=True)]
    pixels = sum(width * height for width, height in shown)
    assert pixels * PIXEL_BYTES <= memory or all(size == [1, 1] for size in shown)
    whole = sum(width * height for width, height in sizes)
    assert any(halvings) == (whole * PIXEL_BYTES > memory and max(map(max, sizes)) > 1)


def test_size_is_read_without_decoding(monkeypatch):
    b = Builder()
    for kind in ("PNG", "JPEG", "WEBP"):
        b.add("images", uri=data_uri(encode(kind)))
    b.add("images", uri=data_uri(b"nothing"))
    model = b.load()
    monkeypatch.setattr(images, "decode", None)
    assert [image.size for image in model.images] == [(2, 2), (2, 2), (2, 2), (1, 1)]
    assert not any(image.decoded for image in model.images)
    assert len(model.warnings) == 1


def test_parallel_decoding():
    gate = threading.Barrier(2, timeout=20)

    def decode():
        gate.wait()  # both must run at the same time
        return PIXELS

    pair = [Image("a", decode), Image("b", decode)]
    decode_all(pair)
    assert all(image.decoded for image in pair)
    decode_all(pair)
    decode_all([])


def test_unnamed_images_are_named_after_their_file():
    b = Builder()
    b.add("images", uri="skin.png")
    b.add("images", uri="data:,x")
    assert [image.name for image in b.load().images] == ["skin.png", "Image 1"]


def counted_decoding(monkeypatch):
    """The encoded images that are decoded from now on."""
    decoded, decode = [], images.decode
    monkeypatch.setattr(images, "decode", lambda *given: decoded.append(given[0]) or decode(*given))
    return decoded


@pytest.mark.parametrize("place", ["one view", "views", "overlapping views", "data URIs", "files"])
def test_images_of_equal_bytes_are_decoded_once(tmp_path, monkeypatch, place):
    b, data = Builder(), encode("PNG")
    (tmp_path / "a.png").write_bytes(data)
    (tmp_path / "copy.png").write_bytes(data)
    view = b.view(data)
    for k in range(3):
        if place == "one view":
            row = {"bufferView": view}
        elif place == "views":
            row = {"bufferView": b.view(data)}
        elif place == "overlapping views":
            row = {"bufferView": b.add("bufferViews", **b.json["bufferViews"][view])}
        elif place == "data URIs":
            row = {"uri": data_uri(data)}
        else:
            row = {"uri": ("a.png", "./%61.png", "copy.png")[k]}
        b.add("images", name=f"Image of {k}", **row)
    other = np.array(PIXELS)
    other[0, 0] = 7
    b.add("images", uri=data_uri(encode("PNG", other)))
    (tmp_path / "body.gltf").write_bytes(b.gltf())
    decoded = counted_decoding(monkeypatch)
    model = load(tmp_path / "body.gltf")
    decode_all(model.images)
    one, two, three, different = (image.pixels for image in model.images)
    assert one is two is three
    np.testing.assert_array_equal(one, PIXELS)
    np.testing.assert_array_equal(different, other)
    assert len(decoded) == 2
    assert len({image.content for image in model.images}) == 2
    assert [image.name for image in model.images][:2] == ["Image of 0", "Image of 1"]
    assert model.warnings == []


def test_equal_images_that_cannot_be_read_have_their_own_neutral_pixel():
    b = Builder()
    for _ in range(3):
        b.add("images", uri=data_uri(b"nothing"))
    b.add("textures", source=1)
    b.add("materials", normalTexture={"index": 0})
    white, flat, same = (image.pixels.tolist() for image in b.load().images)
    assert white == same == [[[255, 255, 255, 255]]]
    assert flat == [[[128, 128, 255, 255]]]


def with_scans(count):
    """A progressive JPEG of 64 x 64 pixels with a number of further scans."""
    data = encode("JPEG", np.zeros((64, 64, 3), np.uint8), progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:last] + data[last:-2] * (count + 1) + data[-2:]


def test_scans_of_a_jpeg_are_counted(monkeypatch):
    """What takes too long is not decoded; smaller images after it are."""
    usual = image_decoding.scan_count(with_scans(0))
    assert 2 <= usual <= 10
    assert image_decoding.scan_count(with_scans(300)) == usual + 300
    monkeypatch.setattr(images, "MAX_DECODED", 64 * 64 * (usual + 5))
    b = Builder()
    for count in (300, 4, 5, 0):
        b.add("images", uri=data_uri(with_scans(count)))
    b.add("images", uri=data_uri(encode("PNG")))
    decoded = counted_decoding(monkeypatch)
    model = b.load()
    decode_all(model.images)
    assert [image.pixels.shape[0] for image in model.images] == [1, 64, 1, 1, 2]
    assert len(decoded) == 2
    assert [warning.split(":")[0] for warning in model.warnings] == [
        "/images/0",
        "/images/2",
        "/images/3",
    ]
    pixels = 64 * 64 * (usual + 300)
    assert f"its {pixels} pixels, counted in every scan, exceed the limit" in model.warnings[0]


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_pixels_of_all_images_that_are_decoded(monkeypatch, kind):
    """Halved images are decoded whole before."""
    monkeypatch.setattr(images, "MAX_DECODED", 2 * 64 * 64)
    b = Builder()
    for k in range(4):
        b.add("images", uri=data_uri(encode(kind, np.full((64, 64, 3), 9 * k, np.uint8))))
    decoded = counted_decoding(monkeypatch)
    model = load(b.gltf(), max_memory=120_000)
    decode_all(model.images)
    assert len(decoded) == 2
    assert [image.pixels.shape[0] for image in model.images] == [64, 64, 1, 1]


def test_pixels_of_all_images_that_are_shown(monkeypatch):
    """Whatever the memory."""
    monkeypatch.setattr(images, "MAX_SHOWN", 3 * 32 * 32)
    b = Builder()
    for k in range(4):
        b.add("images", uri=data_uri(encode("PNG", np.full((32, 32, 3), 9 * k, np.uint8))))
    model = b.load()
    decode_all(model.images)
    assert sorted(image.pixels.shape[0] for image in model.images) == [16, 16, 32, 32]
    assert "the textures need more than 3072 pixels" in model.warnings[0]


@pytest.mark.parametrize("limit", ["MAX_BYTES", "MAX_ENCODED"])
def test_encoded_images_that_are_too_large(tmp_path, monkeypatch, limit):
    b, data = Builder(), encode("PNG")
    (tmp_path / "a.png").write_bytes(data + bytes(10))
    b.add("images", bufferView=b.view(data))
    b.add("images", uri="a.png")
    (tmp_path / "body.gltf").write_bytes(b.gltf())
    monkeypatch.setattr(images, limit, len(data) + 5)
    decoded = counted_decoding(monkeypatch)
    model = load(tmp_path / "body.gltf")
    decode_all(model.images)
    assert len(decoded) == 1
    assert model.images[1].pixels.shape == (1, 1, 4)
    assert [warning.split(":")[0] for warning in model.warnings] == ["/images/1"]
