"""The action that shows onion skins."""

from ...scenedoc.look import Overlays
from ..session import Session

SKINS = 3  # before, and as many after the present pose


def toggle(session: Session) -> None:
    """Show some skeletons before and after the present one, or none."""
    session.change(Overlays, onion_skins=0 if shown(session) else SKINS)


def shown(session: Session) -> bool:
    """Return whether there are onion skins."""
    return session.scene.look.overlays.onion_skins > 0
