"""Settings: from the environment, checked, documented."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from compute_atlas.server.settings import Settings, WrongSetting, read_settings, to_environment, variable

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "reliability.md"


def test_defaults_need_no_environment() -> None:
    assert read_settings({}) == Settings()


def test_values_come_from_the_environment() -> None:
    settings = read_settings(
        {"COMPUTE_ATLAS_PORT": "80", "COMPUTE_ATLAS_TIMEOUT_S": "2.5", "COMPUTE_ATLAS_DATA": "a\nb=c"}
    )
    assert (settings.port, settings.timeout_s, settings.data) == (80, 2.5, ("a", "b=c"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "http"),
        ("port", "-1"),
        ("timeout_s", "0"),
        ("timeout_s", "nan"),
        ("timeout_s", "inf"),
        ("web_workers", "0"),
        ("memory_mib", "1.5"),
    ],
)
def test_a_wrong_value_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(WrongSetting, match=f'{variable(name)} is "{value}"; it must be a'):
        read_settings({variable(name): value})


def test_settings_travel_to_other_processes() -> None:
    settings = Settings(port=1, data=("a b", "c=http://e/g"), public_url="http://e/x", timeout_s=0.5)
    assert read_settings(to_environment(settings)) == settings


def test_every_setting_is_documented_with_its_default() -> None:
    rows = dict(
        re.findall(r"^\| `(COMPUTE_ATLAS_\w+)` \| ([^|]*) \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    )
    assert sorted(rows) == sorted(variable(setting.name) for setting in fields(Settings))
    for setting in fields(Settings):
        assert setting.metadata["meaning"] in DOCUMENT.read_text("utf-8"), setting.name
        is_computed = setting.default in ("", ()) or setting.name in ("fast_workers", "slow_workers")
        assert is_computed or rows[variable(setting.name)] == str(setting.default)
