"""Errors that the Khronos validator reports about skins, meshes, accessors and animations."""

import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.rule_settings import Settings
from rigview.errors import GltfError
from rigview.loading.load import load
from rigview.resources import asset_path
from tests.checks.cases_validator import CASES, faulty
from tests.support.gltf_validator import validated
from tests.support.rule_case import findings_of
from tests.support.shared import MODELS, needs_shared
from tests.support.validator_faults import EXPECTED, FAULTS, REFUSED, file

RULES = tuple(CASES)  # of this comparison


@pytest.mark.parametrize("fault", FAULTS)
def test_errors_of_the_validator_are_findings(fault):
    identity, _ = EXPECTED[fault]
    if identity == REFUSED:
        with pytest.raises(GltfError, match=r"^[^\n]+$"):
            faulty(fault)
    else:
        assert findings_of(faulty(fault), identity)


def test_validator_reports_these_errors(tmp_path):
    paths = {name: tmp_path / f"{name}.glb" for name in ("sound", *FAULTS)}
    for name, path in paths.items():
        path.write_bytes(file(*([FAULTS[name]] if name in FAULTS else [])).glb())
    sound, *reports = validated(*paths.values())
    assert errors(sound) == set()
    for name, issues in zip(FAULTS, reports, strict=True):
        assert EXPECTED[name][1] in errors(issues), name


def errors(issues):
    """Return the codes of the errors, except about missing files."""
    return {issue.code for issue in issues if issue.severity == "error"} - {"IO_ERROR"}


@needs_shared
def test_real_models_without_errors_have_no_such_findings():
    paths = [asset_path("mannequin.glb"), *sorted(MODELS.rglob("*.gl*"))]
    for path, issues in zip(paths, validated(*paths), strict=True):
        found = examine(CheckContext(load(path)), Settings(only=RULES))
        assert bool(errors(issues)) == bool(found), path
