"""The name under which a process leases runs."""

import stat
from pathlib import Path

from impasto_server.runs.backends.worker_identity import hold_identity


def test_process_keeps_the_name_of_its_data_folder_and_a_second_one_has_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with hold_identity(folder) as first:
        assert first.exclusive
        assert (folder / "instance").read_text() == first.name
        with hold_identity(folder) as second, hold_identity(folder) as third:
            assert not second.exclusive
            assert len({first.name, second.name, third.name}) == 3
    with hold_identity(folder) as again:
        assert again == first
    assert (folder / "instance").read_text() == first.name
    assert stat.S_IMODE((folder / "instance").stat().st_mode) == 0o600
    with hold_identity(tmp_path / "other") as other:
        assert other.name != first.name


def test_name_in_the_data_folder_is_taken_without_the_space_around_it(tmp_path: Path) -> None:
    (tmp_path / "instance").write_text(" worker one\n\n")
    with hold_identity(tmp_path) as found:
        assert (found.name, found.exclusive) == ("worker one", True)
    assert (tmp_path / "instance").read_text() == "worker one"
    (tmp_path / "instance").write_text(" \n")
    with hold_identity(tmp_path) as found:
        assert found.name.strip()
