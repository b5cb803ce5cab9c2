"""Draw a picture of each character of a folder: thumbnails.py characters/ thumbnails/."""

import sys
from pathlib import Path

from PIL import Image

import rigview

for path in sorted(Path(sys.argv[1]).rglob("*.gl[bt]*")):
    try:
        picture = rigview.render(path, resolution=(128, 128), view="iso", background="#202428")
    except rigview.AppError as error:
        print(error)
        continue
    Image.fromarray(picture).save(Path(sys.argv[2], f"{path.stem}.png"))
    print(path.stem)
