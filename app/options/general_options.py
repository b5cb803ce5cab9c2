"""Options of the window, and options of all commands."""

from ..fields.command_groups import ALL, RENDERING
from ..fields.option import switch, value
from ..fields.record import record
from ..tomlfile.value_parsing import bytes_from_text, bytes_text, text


@record(frozen=True)
class WindowOptions:
    """The window."""

    strict: bool = switch(
        ("view",),
        "exit with an error if a file cannot be read, instead of showing it in the window",
    )


@record(frozen=True)
class GeneralOptions:
    """Options of all commands; `config_defaults` reads `--config` before the other options."""

    root: str | None = value(
        ALL, "folder that files may be read from; default: the folder of FILE", "DIR", text
    )
    max_memory: int = value(
        tuple(dict.fromkeys((*RENDERING, "diff", "bench"))),
        "memory for the textures of a file; if they need more, the largest are halved",
        "SIZE",
        bytes_from_text,
        default=1 << 31,
        writer=bytes_text,
    )
    verbose: bool = switch(ALL, "print more messages, and a traceback on errors")
    quiet: bool = switch(ALL, "print no warnings and no progress")
    config: str | None = value(
        tuple(command for command in ALL if command != "check"),
        "a TOML file of default options by name; default: config.toml in the settings folder, if "
        "it exists",
        "FILE",
        text,
    )
    rules_file: str | None = value(
        ("check",),
        "a TOML file with limits, severities and disabled rules",
        "RULES.toml",
        text,
        name="config",
    )
    no_config: bool = switch(ALL, "do not read config.toml")
