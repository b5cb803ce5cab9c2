"""The action that shows onion skins."""

from ..session import Session

SKINS = 3  # before, and as many after the present pose


def toggle(session: Session) -> None:
    """Show some skeletons before and after the present one, or none."""
    display = session.scene.display
    display.onion_skins = 0 if display.onion_skins else SKINS


def shown(session: Session) -> bool:
    """Return whether there are onion skins."""
    return session.scene.display.onion_skins > 0
