"""Archives that mean harm, and the many forms of harmless ones."""

import io
import os
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.assets.unpack import Unpacked, safe_name, unpack
from siturec_gym.core.errors import DataError

LIMIT = 10_000
SHA_HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"


def in_zip(path: Path, entries: list[tuple[str, bytes, int]]) -> Path:
    """Name, content, and mode with the kind of file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in entries:
            info = zipfile.ZipInfo("placeholder")
            info.filename, info.external_attr, info.compress_type = name, mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return path


def in_tar(path: Path, entries: list[tuple[str, bytes | str, bytes]], form: str = "w") -> Path:
    """Name, content or target of a link, and type."""
    with tarfile.open(path, form) as archive:
        for name, content, kind in entries:
            info = tarfile.TarInfo(name)
            info.type, info.mode = kind, 0o755
            if isinstance(content, str):
                info.linkname = content
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return path


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """The folder to unpack into; what must not be touched lies beside it."""
    folder = tmp_path / "room"
    folder.mkdir()
    (tmp_path / "outside").write_text("safe")
    return folder


@pytest.fixture
def unpacked(room: Path):
    return lambda archive, limit=LIMIT: unpack(archive, room, limit, lambda done: None)


def others(room: Path) -> set[str]:
    """All that lies beside the folder, with contents."""
    return {f"{path.name} {path.read_text() if path.name == 'outside' else ''}" for path in room.parent.iterdir()}


REG, DIR, SYM, LNK = tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE


def test_a_zip_is_written_with_hashes_and_rights(room, unpacked, tmp_path):
    entries = [("Linux/", b"", 0o40755), ("Linux/Store.sh", b"hello", 0o100755), ("Linux/a.pak", b"", 0o104644)]
    assert unpacked(in_zip(tmp_path / "a.zip", entries)) == (
        Unpacked("Linux/Store.sh", 5, SHA_HELLO),
        Unpacked("Linux/a.pak", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    )
    assert (room / "Linux" / "Store.sh").read_bytes() == b"hello"
    assert (room / "Linux" / "Store.sh").stat().st_mode & stat.S_IXUSR
    assert not (room / "Linux" / "a.pak").stat().st_mode & (stat.S_IXUSR | stat.S_ISUID)


@pytest.mark.parametrize("form", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_is_written_with_links_inside(room, unpacked, tmp_path, form):
    entries = [
        ("./app", b"", DIR), ("app/bin/run", b"hello", REG), ("app/current", "bin", SYM),
        ("app/run", "app/bin/run", LNK), ("app/up", "../app/bin/run", SYM), ("app/none", "missing", SYM),
    ]  # fmt: skip
    assert [file.path for file in unpacked(in_tar(tmp_path / "a.tar", entries, form))] == ["app/bin/run"]
    for name in ("app/current/run", "app/run", "app/up"):
        assert (room / name).read_bytes() == b"hello"


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/x", "a/../../outside", "a\\..\\..\\outside", "C:\\x", "a:b", "a\nb"]
)
def test_names_that_lead_elsewhere_are_refused(room, unpacked, tmp_path, name):
    for number, archive in enumerate((
        in_zip(tmp_path / "a.zip", [(name, b"bad", 0o100644)]),
        in_tar(tmp_path / "a.tar", [(name, b"bad", REG)]),
    )):  # fmt: skip
        before = others(room)
        with pytest.raises(DataError, match="unsafe name"):
            unpacked(archive)
        assert others(room) == before, number


@pytest.mark.parametrize(
    "entries",
    [
        [("a", "..", SYM)],
        [("a", "/etc", SYM)],
        [("a", "../outside", SYM)],
        [("a", "../outside", SYM), ("a", b"bad", REG)],
        [("a", "..", SYM), ("a/b", b"bad", REG)],
        [("a", "..", SYM), ("a/b", "outside", SYM)],
        [("d", ".", SYM), ("x", "d/..", SYM)],
        [("d", "deep/er", SYM), ("deep/er/f", b"", REG), ("x", "d/../../../outside", SYM)],
        [("a", "../outside", LNK)],
        [("a", "missing", LNK)],
        [("s", "..", SYM), ("a", "s/outside", LNK)],
        [("a", "", SYM)],
        [("dev", b"", tarfile.CHRTYPE)],
        [("dev", b"", tarfile.BLKTYPE)],
        [("pipe", b"", tarfile.FIFOTYPE)],
        [("a", b"one", REG), ("a", b"two", REG)],
        [("a", b"one", REG), ("a/b", b"two", REG)],
        [("a/b", b"one", REG), ("a", b"two", REG)],
        [("a", b"one", REG), ("a", b"", DIR)],
        [("a", "b", SYM), ("a", "c", SYM)],
        [("a/b", b"one", REG), ("a", "b", SYM)],
        [(".", b"one", REG)],
    ],
)
def test_what_leads_outside_or_over_another_is_refused(room, unpacked, tmp_path, entries):
    archive = in_tar(tmp_path / "a.tar", entries)
    before = others(room)
    with pytest.raises(DataError, match=r"'.*a\.tar' is not unpacked: "):
        unpacked(archive)
    assert others(room) == before


@pytest.mark.parametrize(
    "entries", [[("a", b"..", 0o120777)], [("a", b"/etc/passwd", 0o120777)], [("p", b"", 0o10644)]]
)
def test_links_and_pipes_in_a_zip_are_held_to_the_same(room, unpacked, tmp_path, entries):
    with pytest.raises(DataError, match="is not unpacked"):
        unpacked(in_zip(tmp_path / "a.zip", entries))


def test_a_bomb_stops_at_the_declared_size(room, unpacked, tmp_path):
    """A megabyte of zeros packs into a kilobyte; nothing beyond the limit is written."""
    for archive in (
        in_zip(tmp_path / "a.zip", [(f"{number}", bytes(1000), 0o100644) for number in range(1000)]),
        in_tar(tmp_path / "a.tgz", [(f"t{number}", bytes(1000), REG) for number in range(1000)], "w:gz"),
    ):
        with pytest.raises(DataError, match="more than the 10,000 bytes that were declared"):
            unpacked(archive)
    assert sum(path.stat().st_size for path in room.iterdir()) <= 2 * LIMIT


def test_a_zip_that_understates_a_size_is_damaged(room, unpacked, tmp_path):
    archive = in_zip(tmp_path / "a.zip", [("a", bytes(5000), 0o100644)])
    content = archive.read_bytes()
    directory = content.rindex(b"PK\x01\x02")
    archive.write_bytes(content[: directory + 24] + (10).to_bytes(4, "little") + content[directory + 28 :])
    with pytest.raises(DataError, match="cannot be unpacked"):
        unpacked(archive)
    assert (room / "a").stat().st_size <= 10


def test_too_many_members_are_refused(room, unpacked, tmp_path, monkeypatch):
    monkeypatch.setattr("siturec_gym.assets.unpack.MOST_MEMBERS", 3)
    with pytest.raises(DataError, match="more than 3 members"):
        unpacked(in_tar(tmp_path / "a.tar", [(f"{number}", b"", REG) for number in range(4)]))


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"PK\x03\x04", bytes(512), b"\x1f\x8b\x08", b"7z\xbc\xaf\x27\x1c" + bytes(99)]
)
def test_what_is_no_archive_is_one_line(unpacked, tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(DataError, match=r"'.*x' (is not|cannot be) unpacked: [^\n]+$"):
        unpacked(tmp_path / "x")


def test_an_encrypted_zip_is_one_line(unpacked, tmp_path):
    archive = in_zip(tmp_path / "a.zip", [("a", b"hello", 0o100644)])
    content = bytearray(archive.read_bytes())
    for start in (content.index(b"PK\x03\x04") + 6, content.index(b"PK\x01\x02") + 8):
        content[start] |= 1
    archive.write_bytes(content)
    with pytest.raises(DataError, match="encrypted"):
        unpacked(archive)


@pytest.mark.parametrize("form", ["w", "w:gz", "w:xz", "w:bz2", "zip"])
def test_a_damaged_archive_is_one_line_wherever_it_ends(room, tmp_path, form):
    path = tmp_path / "a"
    if form == "zip":
        in_zip(path, [("a", os.urandom(3000), 0o100644)])
    else:
        in_tar(path, [("a", os.urandom(3000), REG)], form)
    content = path.read_bytes()
    for number, end in enumerate(range(1, 2900, 150)):
        (tmp_path / "cut").write_bytes(content[:end])
        (room / f"{number}").mkdir()
        with pytest.raises(DataError, match=r"^'.*cut' (is not|cannot be) unpacked: [^\n]*$"):
            unpack(tmp_path / "cut", room / f"{number}", LIMIT, lambda done: None)


@given(st.text(alphabet=st.sampled_from("ab./\\:\0 \u00e9"), max_size=12))
def test_a_safe_name_stays_inside_a_folder(name):
    try:
        safe = safe_name(name)
    except DataError:
        assert name.startswith("/") or ".." in name or set(name) & set("\\:\0")
        return
    root = os.path.abspath("/room")
    assert os.path.normpath(os.path.join(root, name)) == os.path.normpath(os.path.join(root, safe))
    assert os.path.normpath(os.path.join(root, safe)).startswith(root)


entries_of_tars = st.lists(
    st.tuples(
        st.text(alphabet=st.sampled_from("ab./"), min_size=1, max_size=6),
        st.text(alphabet=st.sampled_from("ab./"), max_size=8),
        st.sampled_from([REG, DIR, SYM, LNK]),
    ),
    max_size=6,
)


@given(entries_of_tars)
def test_no_tar_reaches_outside_whatever_it_holds(tmp_path_factory, entries):
    """Files, folders and links of every kind and order: all or an error, and the world outside as it was."""
    ground = tmp_path_factory.mktemp("ground")
    room = ground / "a" / "b"  # names the archive's own links can spell
    room.mkdir(parents=True)
    listed = [
        (name, target if kind in (SYM, LNK) else b"bad"[: 3 * (kind == REG)], kind) for name, target, kind in entries
    ]
    archive = in_tar(ground / "x.tar", listed)
    try:
        files = unpack(archive, room, LIMIT, lambda done: None)
    except DataError:
        files = ()
    assert {path.name for path in ground.iterdir()} == {"a", "x.tar"}
    assert {path.name for path in (ground / "a").iterdir()} == {"b"}
    for file in files:
        assert (room / file.path).read_bytes() == b"bad"
        assert os.path.realpath(room / file.path).startswith(f"{room}/")


@pytest.mark.parametrize("entry", [("\udcff\udcfe", b"1", REG), ("link", "\udcff", SYM)])
def test_bytes_that_are_no_text_are_no_name(unpacked, tmp_path, entry):
    archive = in_tar(tmp_path / "a.tar", [("a.txt", b"hello", REG), entry])
    with pytest.raises(DataError, match=r"a\.tar' is not unpacked: .*udcff"):
        unpacked(archive)
