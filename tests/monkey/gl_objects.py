"""The OpenGL objects of a context, compared with those that Python objects own."""

import ctypes
from contextlib import contextmanager
from weakref import WeakSet

import moderngl

KINDS = {
    "Texture": ("Texture", "TextureArray", "Texture3D", "TextureCube"),
    "Buffer": ("Buffer",),
    "Framebuffer": ("Framebuffer",),
    "Renderbuffer": ("Renderbuffer",),
    "VertexArray": ("VertexArray",),
    "Program": ("Program",),
    "Sampler": ("Sampler",),
}
DELETE_STATUS = 0x8B80  # GL_DELETE_STATUS
MOST = 4096  # names that are looked at first
MARGIN = 16  # names above the greatest known one


class GlObjects:
    """Counts OpenGL objects; `recording` must be active while they are created.

    An object that exists without an owner was dropped without being freed.
    """

    def __init__(self):
        self._owners = {kind: WeakSet() for kind in KINDS}
        self._most = dict.fromkeys(KINDS, 0)
        self._foreign = {}  # those that existed before, by kind
        library = ctypes.CDLL("libGL.so.1")
        self._exists = {kind: getattr(library, f"glIs{kind}") for kind in KINDS}
        self._get_program = library.glGetProgramiv

    @contextmanager
    def recording(self):
        """Record the owner of every object that is created."""
        for kind, classes in KINDS.items():
            for name in classes:
                getattr(moderngl, name).__new__ = self._recorder(kind)
        try:
            yield self
        finally:
            for classes in KINDS.values():
                for name in classes:
                    del getattr(moderngl, name).__new__

    def begin(self, context):
        """Regard the objects that exist now as foreign."""
        self._context = context
        self._foreign = {kind: set() for kind in KINDS}
        self._most = dict.fromkeys(KINDS, MOST)
        existing = self._existing()
        self._foreign = {kind: names - self._owned(kind) for kind, names in existing.items()}
        self._most = {kind: max(names, default=0) for kind, names in existing.items()}

    def counts(self):
        """The number of objects by kind."""
        return {kind: len(self._owned(kind)) for kind in KINDS}

    def faults(self):
        """Return the objects without owner and the owners without object, as text."""
        found = []
        for kind, names in self._existing().items():
            owned = self._owned(kind)
            for words, some in (("leaked", names - owned), ("lost", owned - names)):
                if some:
                    found.append(f"{words} {kind}: {sorted(some)}")
        return "; ".join(found)

    def _recorder(self, kind):
        def create(cls, *_args, **_named):
            made = object.__new__(cls)
            self._owners[kind].add(made)
            return made

        return create

    def _owned(self, kind):
        alive = [
            each
            for each in list(self._owners[kind])
            if not isinstance(getattr(each, "mglo", None), moderngl.InvalidObject | None)
            and each.ctx is self._context
        ]
        names = {each.glo for each in alive} - {0}
        self._most[kind] = max(self._most[kind], *names, 0)
        return names

    def _existing(self):
        found = {}
        for kind, exists in self._exists.items():
            self._owned(kind)
            names = {name for name in range(1, self._most[kind] + MARGIN) if exists(name)}
            found[kind] = names - self._foreign[kind]
        found["Program"] = {name for name in found["Program"] if not self._is_deleted(name)}
        return found

    def _is_deleted(self, program):
        """Return whether a program was freed; it exists as long as it is in use."""
        answer = ctypes.c_int()
        self._get_program(program, DELETE_STATUS, ctypes.byref(answer))
        return bool(answer.value)
