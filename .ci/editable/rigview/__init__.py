"""Rigview as installed from a checkout: the package's modules are those in the folder `app`."""

from pathlib import Path

_app = Path(__file__).resolve().parents[3] / "app"
__path__ = [str(_app)]
__file__ = str(_app / "__init__.py")
exec(compile(Path(__file__).read_text(encoding="utf-8"), __file__, "exec"))
