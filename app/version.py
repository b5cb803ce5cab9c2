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
