"""Mapping files: the shipped ones are right, and what is wrong with one is a line that names file and field."""

import re
import sys
from pathlib import Path

import pytest
import yaml

from siturec_gym.core.actions import HOME_TOOLS, SUPERMARKET_TOOLS
from siturec_gym.core.errors import DataError, RendererError
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.renderers.unrealcv.reading import SHIPPED, load_mapping, shipped_names
from siturec_gym.world.rules import MOVEMENTS


@pytest.fixture
def written(tmp_path):
    """Writes a mapping file with some fields changed: ``written({"cameras.user": 3})``."""

    def write(changes, name="my_store.yaml"):
        content = yaml.safe_load((SHIPPED / "ours.yaml").read_text())
        for field, value in changes.items():
            part = content
            *outer, last = field.split(".")
            for key in outer:
                part = part.setdefault(key, {})
            part[last] = value
        path = tmp_path / name
        path.write_text(yaml.safe_dump(content))
        return path

    return write


def test_what_is_shipped():
    assert shipped_names() == ("ours", "template")


@pytest.mark.parametrize("name", ["ours", "template"])
def test_a_shipped_mapping_covers_every_movement_of_both_stores(name):
    mapping = load_mapping(name)
    for tool in MOVEMENTS & {*SUPERMARKET_TOOLS, *HOME_TOOLS}:
        assert mapping.function(tool) is not None, tool


def test_every_field_is_in_the_template():
    """Somebody who fills it in must not have to read code to learn that a field exists."""
    text = (SHIPPED / "template.yaml").read_text()
    said = set(re.findall(r"(\w+):", text))

    def fields(model):
        for name, field in model.model_fields.items():
            yield name
            inner = [field.annotation, *getattr(field.annotation, "__args__", ())]
            for kind in inner:
                if hasattr(kind, "model_fields"):
                    yield from fields(kind)

    missing = {name for name in fields(type(load_mapping("template"))) if name not in said}
    assert missing == set()


def test_a_file_of_ones_own(written):
    mapping = load_mapping(written({"connection.port": 9100, "user.object": "BP_Shopper_C_1"}))
    assert mapping.connection.port == 9100
    assert mapping.user.object == "BP_Shopper_C_1"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cameras.user": "eyes"}, r"my_store\.yaml: cameras\.user: .*valid integer.*, got 'eyes'"),
        ({"camera": {}}, r"my_store\.yaml: camera: Extra inputs are not permitted"),
        ({"form": 2}, r"my_store\.yaml: form: Input should be 1, got 2"),
        ({"connection.port": 70000}, r"connection\.port: .*less than or equal to 65535, got 70000"),
        ({"connection.reply_timeout_s": 0}, r"connection\.reply_timeout_s: .*greater than 0"),
        (
            {"user.place": ["vset /x {locatoin}"]},
            r"user\.place: .* holds \{locatoin\}; it may hold \{object\}, \{camera\}",
        ),
        ({"user.place": ["vset /x {location"]}, r"user\.place: 'vset /x \{location': "),
        ({"user.place": []}, r"user\.place: .*at least 1 item"),
        ({"cameras.where": []}, r"cameras\.where: .*at least 1 item"),
        ({"tools": {}}, r"tools: .*at least 1 item"),
        ({"objects.hide": "vset {} hide"}, r"objects\.hide: 'vset \{\} hide' holds \{\}"),
        ({"tools.fly": {"function": "fly"}}, r"tools\.fly"),
        (
            {"tools.turn.arguments": ["degrees"]},
            r"tools\.turn\.arguments\.0: 'degrees' is no argument; there are direction",
        ),
        ({"images.depth.kind": "euclid"}, r"images\.depth\.kind: .*'planar' or 'radial', got 'euclid'"),
        ({"images.rgb.format": "exr"}, r"images\.rgb\.format: .*got 'exr'"),
        ({"colors.tolerance": 100}, r"colors\.tolerance: .*less than or equal to 8"),
        ({"launch": {"binary": "x", "first_port": 9, "last_port": 8}}, r"launch: first_port 9 lies above last_port 8"),
        ({"launch": {}}, r"launch\.binary: Field required"),
        ({"camera": 1, "eyes": 2, "form": 3}, r"\(and 2 more\)$"),
    ],
)
def test_what_is_wrong_is_one_line_with_file_and_field(written, changes, message):
    with pytest.raises(DataError, match=message) as caught:
        load_mapping(written(changes))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"form: [", r"odd\.yaml: no YAML: "),
        (b"\xff\xfe\x00", r"odd\.yaml: no YAML: "),
        (b"", r"odd\.yaml: the file: .*got None"),
        (b"- 1\n", r"odd\.yaml: the file: "),
    ],
)
def test_what_is_no_mapping_at_all(tmp_path, content, message):
    path = tmp_path / "odd.yaml"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        load_mapping(path)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_lists_those_that_are():
    with pytest.raises(
        DataError, match=r"mapping file 'theirs\.yaml': No such file.*; shipped ones are ours, template"
    ):
        load_mapping("theirs.yaml")
    with pytest.raises(DataError, match="mapping file '/': Is a directory"):
        load_mapping(Path("/"))


def test_a_file_of_settings_names_a_mapping_and_moves_it(written, tmp_path):
    settings = tmp_path / "there.yaml"
    settings.write_text("{mapping: ours, port: 9071}")
    assert load_mapping(settings) == load_mapping(written({"connection.port": 9071}))
    settings.write_text("socket: /tmp/shop.socket")
    assert load_mapping(settings).connection.endpoint == "/tmp/shop.socket"


def test_a_mapping_named_in_settings_is_looked_for_beside_them(written, tmp_path, monkeypatch):
    mine = written({"user.object": "BP_Shopper_C_1"})
    settings = tmp_path / "there.yaml"
    settings.write_text(f"mapping: {mine.name}\nhost: unreal\nport: 9000\n")
    monkeypatch.chdir("/")
    mapping = load_mapping(settings)
    assert (mapping.user.object, mapping.connection.endpoint) == ("BP_Shopper_C_1", ("unreal", 9000))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("port: 70000", r"there\.yaml: port: .*less than or equal to 65535, got 70000"),
        ("{mapping: ours, prot: 9071}", r"there\.yaml: prot: Extra inputs are not permitted"),
        ("{mapping: there.yaml}", r"there\.yaml: form: Field required"),
        ("{mapping: none.yaml}", r"mapping file '.*none\.yaml': No such file"),
        ("{socket: '/tmp/{name}'}", r"there\.yaml: .*holds \{name\}; it may hold \{port\}"),
    ],
)
def test_what_is_wrong_with_settings_is_one_line(tmp_path, content, message):
    settings = tmp_path / "there.yaml"
    settings.write_text(content)
    with pytest.raises(DataError, match=message) as caught:
        load_mapping(settings)
    assert "\n" not in str(caught.value)


def test_yaml_files_build_no_objects(tmp_path):
    path = tmp_path / "evil.yaml"
    path.write_text("form: !!python/object/apply:os.getcwd []\n")
    with pytest.raises(DataError, match=r"evil\.yaml: no YAML: could not determine a constructor"):
        load_mapping(path)


def test_without_pyyaml_the_error_says_what_to_install(monkeypatch, written):
    path = written({})
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(RendererError, match=r"mapping files need PyYAML: pip install 'siturec-gym\[unreal\]'"):
        load_mapping(path)


def test_names_follow_patterns_and_exceptions(written, tiny_scene):
    objects = load_mapping(
        written(
            {
                "objects.instance": "SM_{product}_{number:04d}",
                "objects.place": "BP_{id}",
                "objects.structure": None,
                "objects.names": {"I0002": "Odd_Milk"},
            }
        )
    ).objects
    names = Names(tiny_scene, objects)
    assert names.of_object(1) == "SM_P001_0001"
    assert names.of_object(2) == "Odd_Milk"
    assert names.of_id("F02") == "BP_F02"
    assert len(names.all) == 6 + 2
    assert names.absent(["SM_P001_0001", "Odd_Milk", "BP_F01"])[:2] == ["SM_P002_0003", "SM_P003_0004"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"objects.instance": "{product}"}, "objects: I0001 and I0002 are both called P001"),
        ({"objects.instance": "item {id}"}, "objects: 'item I0001', the name of I0001, is not one word"),
        ({"objects.names": {"I9999": "x"}}, "objects.names: the scene tiny has no I9999"),
    ],
)
def test_names_that_cannot_be(written, tiny_scene, changes, message):
    objects = load_mapping(written(changes)).objects
    with pytest.raises(DataError, match=message):
        Names(tiny_scene, objects)


@pytest.mark.parametrize("text", ["form: 2020-13-45", "[" * 5000])
def test_what_the_yaml_reader_chokes_on_is_one_line_with_the_file(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(DataError, match=r"^mine\.yaml: no YAML: [^\n]+$"):
        load_mapping(path)


@pytest.mark.parametrize(
    ("field", "template"),
    [
        ("objects.instance", "SM_{id:d}"),
        ("objects.color", "vset /object/{object}/color {r:q} {g} {b}"),
        ("connection.socket", "/tmp/{port:z}.socket"),
    ],
)
def test_a_format_that_a_word_does_not_have_is_found_on_reading(written, field, template):
    with pytest.raises(DataError, match=rf"my_store.yaml: {field}: .*\{{"):
        load_mapping(written({field: template}))


def test_numbers_may_be_padded(written):
    assert load_mapping(written({"objects.instance": "SM_{number:03}_{id:>6}"})).objects.instance.startswith("SM_")
