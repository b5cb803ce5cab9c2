"""Writes the settings of a window when they change."""

import math

from ..errors import OutputError
from .session import Session
from .settings import save

REST = 1.0  # seconds after the last change; a drag changes them in every frame


class SettingsWriter:
    """Writes the settings of a session to their file, from the state at creation on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._saved = self._seen = session.settings.copy()
        self._due = math.inf  # session time at which a change has rested

    def poll(self) -> None:
        """Write the settings if a change has rested."""
        session = self._session
        if session.settings != self._seen:
            self._seen = session.settings.copy()
            self._due = session.tau + REST
        if session.tau >= self._due:
            self.write()

    def write(self) -> None:
        """Write what has changed; if that fails, try again after the next change."""
        self._due = math.inf
        settings = self._session.settings.copy()
        if settings == self._saved:
            return
        try:
            warning = save(settings, since=self._saved)
        except OutputError:
            return  # unsaved settings are not worth an error
        self._saved = settings
        if warning:
            self._session.notify(warning)
