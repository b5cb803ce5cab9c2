"""The version of Rigview, which the metadata of the package reads from here, and its addresses."""

__version__ = "0.1.0"


def project_urls() -> dict[str, str]:
    """Return the addresses of the project by name, such as Issues; empty if not installed."""
    from importlib.metadata import PackageNotFoundError, metadata  # takes 20 ms

    try:
        entries = metadata("rigview").get_all("Project-URL") or []
    except PackageNotFoundError:
        return {}
    return {name: url for name, _, url in (entry.partition(", ") for entry in entries)}


def bundled_parts() -> str:
    """Return what is inside the program that needs no Python, as lines; "" of an installation."""
    from pathlib import Path

    file = Path(__file__).with_name("_data") / "parts.txt"  # written by packaging/bundle.py
    if not file.is_file():
        return ""
    licences = Path(__file__).parents[1] / "licences"
    return f"with {file.read_text(encoding='utf-8').format(licences=licences)}"
