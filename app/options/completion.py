"""Completion of commands, options, values and names of a file in bash, zsh and fish.

The scripts are generated from the options table, so that a shell completes without starting Python,
apart from the names of clips, joints, cameras and variants, which `rigview info --names` lists.
Libraries that generate such scripts from an argparse parser do not fit: the word `view` may be left
out, so that the first argument is a command or a file, and a file decides which names there are.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..fields.command_groups import COMMANDS
from ..fields.option import Option
from ..loading.git_revision import CHARACTERS
from .table import PRINTING, options_of

_FILES = ("FILE", "OUT", "RULES.toml")  # metavars of paths
_FOLDERS = ("DIR",)
_ENDINGS = [ending.removeprefix(".") for ending in CHARACTERS]


class Flag(NamedTuple):
    """A flag of a command, and what completes its value.

    Attributes
    ----------
    metavar
        Name of the value, ``""`` of a switch.
    words
        The choices.
    names
        What of the file the value names, as `info --names` calls it.
    path
        "file" or "folder" for the path of one.
    """

    spellings: tuple[str, ...]
    help: str
    metavar: str = ""
    words: tuple[str, ...] = ()
    names: str = ""
    path: str = ""
    several: bool = False


def completion(shell: str) -> str:
    """Return the script of a shell: "bash", "zsh" or "fish"."""
    head = f"Completion of rigview for {shell}; rigview --print-completion {shell} prints it"
    return _SCRIPTS[shell](head)


def flags_of(command: str) -> list[Flag]:
    """Return the flags of a command, in the order of its help."""
    listed = [option for options in options_of(command).values() for option in options]
    listed += [option for option in PRINTING if command in option.commands]
    return [flag for option in listed for flag in _flags(option, command)]


def _flags(option: Option, command: str) -> Iterator[Flag]:
    text = option.help_for(command)
    several = option.repeat or command in option.per_file
    path = "file" if option.metavar in _FILES else "folder" * (option.metavar in _FOLDERS)
    spellings = (option.short, option.flag) if option.short else (option.flag,)
    value = (option.metavar, option.choices, option.names, path, several)
    yield Flag(spellings, text, *value)
    if option.negative:
        yield Flag((f"--no-{option.name}",), f"not: {text}")


def _commands(separator: str) -> str:
    return separator.join(COMMANDS)


# -- bash -----------------------------------------------------------------------------------------

_BASH = r"""# {head}

_rigview_names() {{ # KIND: names in the first character of the line
    local word files=()
    for word in "${{COMP_WORDS[@]:1}}"; do
        word=${{word//[\\\"\']/}}
        case $word in
            {endings}) files=("${{word/#\~\//$HOME/}}") && break ;;
        esac
    done
    "${{COMP_WORDS[0]/#\~\//$HOME/}}" info "${{files[@]}}" --names "$1" 2>/dev/null
}}

_rigview() {{
    local at=$COMP_CWORD word=${{COMP_WORDS[COMP_CWORD]}} before= cut= flag command=view line list
    COMPREPLY=()
    # bash makes words of : and =
    while ((at > 2)) && [[ ${{COMP_WORDS[at]}} == : || ${{COMP_WORDS[at - 1]}} == : ]]; do
        at=$((at - 1))
        before=${{COMP_WORDS[at]}}$before
    done
    word=$before$word
    flag=${{COMP_WORDS[at - 1]}}
    if [[ ${{COMP_WORDS[at]}} == = ]]; then
        word=${{word#=}}
    elif [[ $flag == = ]] && ((at > 2)); then
        flag=${{COMP_WORDS[at - 2]}}
    fi
    word=${{word//[\\\"\']/}}
    [[ $COMP_WORDBREAKS == *:* ]] && cut=${{word%"${{word##*:}}"}}
    ((COMP_CWORD > 1)) && case ${{COMP_WORDS[1]}} in
        {commands}) command=${{COMP_WORDS[1]}} ;;
    esac

    list=(_rigview_files "$word")
    case $flag in
{values}
        *)
            [[ $word == -* ]] && case $command in
{flags}
            esac
            ;;
    esac
    [[ ${{list[0]}} == printf ]] || compopt -o filenames 2>/dev/null # escapes names
    while IFS= read -r line; do
        [[ $line == "$word"* ]] && COMPREPLY+=("${{line#"$cut"}}")
    done < <("${{list[@]}}")
}}

_rigview_files() {{ # WORD: commands, folders and characters
    local ending
    ((COMP_CWORD == 1)) && printf '%s\n' {names}
    compgen -d -- "$1"
    for ending in {suffixes}; do
        compgen -f -X "!*.$ending" -- "$1"
    done
}}

complete -F _rigview rigview
"""


def _bash(head: str) -> str:
    flags = [flag for command in COMMANDS for flag in flags_of(command) if flag.metavar]
    values: dict[str, list[str]] = {}  # spellings by what completes their value
    for flag in flags:
        known = values.setdefault(_bash_value(flag), [])
        known += [each for each in flag.spellings if each not in known]
    lines = [f"        {' | '.join(known)}) list=({each}) ;;" for each, known in values.items()]
    all_flags = [
        f"                {command}) list=({_bash_words(_spellings(command))}) ;;"
        for command in COMMANDS
    ]
    return _BASH.format(
        head=head,
        endings=" | ".join(f"*.{ending}" for ending in _ENDINGS),
        commands=_commands(" | "),
        values="\n".join(lines),
        flags="\n".join(all_flags),
        names=_commands(" "),
        suffixes=" ".join(_ENDINGS),
    )


def _bash_value(flag: Flag) -> str:
    """Return the command that lists what a value may be."""
    if flag.words:
        return _bash_words(flag.words)
    if flag.names:
        return f"_rigview_names {flag.names}"
    if flag.path:
        return f'compgen -{"d" if flag.path == "folder" else "f"} -- "$word"'
    return ":"


def _bash_words(words: Iterable[str]) -> str:
    return f"printf '%s\\n' {' '.join(words)}"


def _spellings(command: str) -> list[str]:
    return [each for flag in flags_of(command) for each in flag.spellings]


# -- zsh ------------------------------------------------------------------------------------------

_ZSH = r"""#compdef rigview
# {head}

_rigview_names() {{ # KIND: names in the first character of the line
  local word
  local -a files names
  for word in "${{(@Q)_rigview_line[2,-1]}}"; do
    if [[ $word == *.({endings}) ]]; then
      files=("${{word/#\~\//$HOME/}}")
      break
    fi
  done
  names=("${{(@f)$("${{_rigview_line[1]/#\~\//$HOME/}}" info $files --names $1 2>/dev/null)}}")
  names=(${{names:#}})
  local -a expl
  _wanted names expl $1 compadd -a names
}}

_rigview() {{
  local curcontext=$curcontext command=view
  local -a _rigview_line options commands
  _rigview_line=("${{words[@]}}")
  commands=(
{commands}
  )
  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
    _describe -t commands command commands
  elif [[ $words[2] == ({names}) ]] && (( CURRENT > 2 )); then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
{options}
  esac
  _arguments "$options[@]" '*:file:_files -g "*.({endings})"'
}}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _rigview "$@"
else
  compdef _rigview rigview
fi
"""


def _zsh(head: str) -> str:
    rows = [f"    {_quoted(f'{name}:{_escaped(each.help)}')}" for name, each in COMMANDS.items()]
    blocks = []
    for command in COMMANDS:
        specs = [f"        {spec}" for flag in flags_of(command) for spec in _zsh_specs(flag)]
        blocks += [f"    {command})", "      options=(", *specs, "      ) ;;"]
    return _ZSH.format(
        head=head,
        commands="\n".join(rows),
        names=_commands("|"),
        options="\n".join(blocks),
        endings="|".join(_ENDINGS),
    )


def _zsh_specs(flag: Flag) -> Iterator[str]:
    """Yield the specification of each spelling, as `_arguments` reads it."""
    excluded = "*" if flag.several else f"({' '.join(flag.spellings)})"
    action = " "  # shows the name of the value only
    if flag.words:
        action = f"({' '.join(flag.words)})"
    elif flag.names:
        action = f" _rigview_names {flag.names}"
    elif flag.path:
        action = "_files -/" if flag.path == "folder" else "_files"
    value = f":{_escaped(flag.metavar)}:{action}" if flag.metavar else ""
    for spelling in flag.spellings:
        equals = "=" if flag.metavar and spelling.startswith("--") else ""
        yield _quoted(f"{excluded}{spelling}{equals}[{_escaped(flag.help)}]{value}")


def _escaped(text: str) -> str:
    """Escape what separates the parts of a specification."""
    return "".join(f"\\{letter}" if letter in r"\[]:" else letter for letter in text)


def _quoted(text: str) -> str:
    inside = text.replace("'", r"'\''")
    return f"'{inside}'"


# -- fish -----------------------------------------------------------------------------------------

_FISH = r"""# {head}

function __rigview_is # COMMAND...: whether the line is one of these commands
    set -l words (commandline -opc)
    set -l command view
    if set -q words[2]; and contains -- $words[2] {commands}
        set command $words[2]
    end
    contains -- $command $argv
end

function __rigview_first # whether the first argument is completed
    test (count (commandline -opc)) -eq 1
end

function __rigview_names # KIND: names in the first character of the line
    set -l words (string replace -r '^~/' "$HOME/" -- (commandline -opc))
    set -l files (string match -r '.*\.(?:{endings})$' -- $words[2..-1])
    $words[1] info $files[1] --names $argv[1] 2>/dev/null
end

{rows}
"""


def _fish(head: str) -> str:
    rows = [
        f"complete -c rigview -n __rigview_first -a {name} -d {_fish_quoted(command.help)}"
        for name, command in COMMANDS.items()
    ]
    users: dict[Flag, list[str]] = {}
    for command in COMMANDS:
        for flag in flags_of(command):
            users.setdefault(flag._replace(several=False), []).append(command)
    for flag, commands in users.items():
        names = [
            f"-{'l' if spelling.startswith('--') else 's'} {spelling.lstrip('-')}"
            for spelling in flag.spellings
        ]
        where = _fish_quoted(f"__rigview_is {' '.join(commands)}")
        parts = ["complete -c rigview -n", where, *names, *_fish_value(flag)]
        rows.append(" ".join([*parts, "-d", _fish_quoted(flag.help)]))
    return _FISH.format(
        head=head,
        commands=_commands(" "),
        endings="|".join(_ENDINGS),
        rows="\n".join(rows),
    )


def _fish_value(flag: Flag) -> list[str]:
    if flag.words:
        return ["-x", "-a", _fish_quoted(" ".join(flag.words))]
    if flag.names:
        return ["-x", "-a", f"'(__rigview_names {flag.names})'"]
    if flag.path == "folder":
        return ["-x", "-a", "'(__fish_complete_directories)'"]
    if flag.path:
        return ["-r", "-F"]
    return ["-x"] if flag.metavar else []


def _fish_quoted(text: str) -> str:
    inside = text.replace("\\", r"\\").replace("'", r"\'")
    return f"'{inside}'"


_SCRIPTS: Mapping[str, Callable[[str], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
