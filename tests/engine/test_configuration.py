import pickle
from pathlib import Path

import pytest

from impasto import Configuration, Context, Text, execute, node
from impasto.configuration import child_environment, plugin_environment
from impasto.testing import plan_of


@pytest.fixture
def env_file(tmp_path):
    path = tmp_path / ".env"
    path.write_text("# keys\nPAINT_KEY=from-file\nexport PAINT_MODE='oil on wood'\nNO_VALUE\n")
    return path


def test_a_dotenv_file_gives_the_variables_that_the_environment_lacks(env_file, monkeypatch):
    monkeypatch.delenv("PAINT_KEY", raising=False)
    found = Configuration.load(env_file)
    assert (found.text("PAINT_KEY"), found.source_of("PAINT_KEY")) == ("from-file", ".env")
    assert found.text("PAINT_MODE") == "oil on wood"
    assert found.source_of("NO_VALUE") is None


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path, monkeypatch):
    monkeypatch.delenv("PAINT_KEY", raising=False)
    (tmp_path / ".env").write_bytes("\ufeffPAINT_KEY=größer\r\nPAINT_MODE=oil\r\n".encode())
    found = Configuration.load(tmp_path / ".env")
    assert (found.get("PAINT_KEY"), found.get("PAINT_MODE")) == ("größer", "oil")


def test_the_environment_wins_over_the_file(env_file, monkeypatch):
    monkeypatch.setenv("PAINT_KEY", "from-environment")
    found = Configuration.load(env_file)
    assert (found["PAINT_KEY"], found.source_of("PAINT_KEY")) == ("from-environment", "environment")


def test_a_file_that_does_not_exist_is_ignored(tmp_path, monkeypatch):
    monkeypatch.setenv("PAINT_KEY", "k")
    assert Configuration.load(tmp_path / "missing.env") == Configuration.load()


def test_names_match_in_any_case_and_empty_values_count_as_unset():
    found = Configuration({"paint_key": "k", "PAINT_MODE": "  "})
    assert found.text("PAINT_KEY") == "k"
    assert found.text("PAINT_MODE", "oil") == "oil"
    assert found.text("PAINT_SIZE", "12") == "12"
    assert found.source_of("PAINT_SIZE") is None


def test_values_are_not_in_its_repr_and_survive_pickling():
    found = Configuration({"PAINT_KEY": "secret-value"})
    assert "secret-value" not in repr(found)
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_child_process_gets_no_secrets(monkeypatch):
    for name in ("PAINT_API_KEY", "PAINT_TOKEN", "PAINT_PASSWORD", "PAINT_SECRET", "PAINT_URL"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("PAINT_MODE", "oil")
    found = child_environment()
    assert [name for name in found if name.startswith("PAINT_")] == ["PAINT_MODE"]


@pytest.mark.anyio
async def test_a_run_hands_its_configuration_to_nodes(monkeypatch):
    @node
    async def read(*, context: Context) -> Text:
        return context.configuration.text("PAINT_KEY", "unset")

    plan = plan_of([read], {"read": "read"})
    given = await execute(plan, configuration=Configuration({"PAINT_KEY": "given"}))
    assert given.outputs["read.output"] == "given"
    monkeypatch.setenv("PAINT_KEY", "from-environment")
    assert (await execute(plan)).outputs["read.output"] == "from-environment"


def test_configuration_is_a_mapping_of_all_variables_in_upper_case():
    found = Configuration({"Paint_Key": "k"}, {"paint_key": "of the file", "paint_size": "12"})
    assert dict(found) == {"PAINT_KEY": "k", "PAINT_SIZE": "12"}
    assert (len(found), repr(found)) == (2, "<Configuration of 2 variables>")
    assert (found["paint_Key"], found["PAINT_SIZE"]) == ("k", "12")
    assert (found.get("paint_size"), found.get("gone"), found.get("gone", "none")) == ("12", None, "none")
    assert (found.source_of("paint_key"), found.source_of("paint_size")) == ("environment", ".env")
    assert found.text("gone") == ""
    with pytest.raises(KeyError):
        found["gone"]


def test_each_read_of_a_variable_is_reported_before():
    class Denied(KeyError):
        """The variable may not be read."""

    names = []

    def on_read(name):
        names.append(name)
        if name == "SECRET":
            raise Denied(name)

    found = Configuration({"PAINT_KEY": "k"}, on_read=on_read)
    for read in (found.get, found.text, found.__getitem__):
        names.clear()
        assert read("paint_key") == "k"
        assert set(names) == {"PAINT_KEY"}
        with pytest.raises(Denied):
            read("secret")
    assert found.get("gone", "none") == "none"
    assert names[-1] == "GONE"


def test_dotenv_file_of_the_home_folder_is_found(env_file, monkeypatch):
    monkeypatch.setenv("HOME", str(env_file.parent))
    monkeypatch.delenv("PAINT_MODE", raising=False)
    assert Configuration.load("~/.env").text("PAINT_MODE") == "oil on wood"
    assert Configuration.load(Path("~/other.env")).text("PAINT_MODE") == ""


def test_process_of_a_plugin_gets_what_it_declares_and_what_programs_need(monkeypatch):
    for name in ("PAINT_KEY", "paint_mode", "PAINT_SIZE", "LC_TIME", "LANG", "XLC_TIME", "HOME"):
        monkeypatch.setenv(name, name.lower())
    given, withheld = plugin_environment(["paint_key", "PAINT_MODE", "GONE"])
    assert {name: given.get(name) for name in ("PAINT_KEY", "paint_mode", "LC_TIME", "LANG")} == {
        "PAINT_KEY": "paint_key",
        "paint_mode": "paint_mode",
        "LC_TIME": "lc_time",
        "LANG": "lang",
    }
    assert given.keys().isdisjoint(("PAINT_SIZE", "XLC_TIME", "HOME"))
    assert {"PAINT_SIZE", "XLC_TIME", "HOME"} <= withheld
    assert withheld.isdisjoint(("PAINT_KEY", "PAINT_MODE", "PATH", "GONE"))
