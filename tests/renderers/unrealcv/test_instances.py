"""Instances that are started and ended: our server stands for the packaged build, small programs for odd ones."""

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.renderers import make_renderer
from siturec_gym.renderers.unrealcv.instances import Instance
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.pool import InstancePool
from siturec_gym.renderers.unrealcv.ports import Port
from siturec_gym.renderers.unrealcv.reading import load_mapping

SIZE = 160, 120
SIMPLE_SERVER = """
import socket, struct, sys, threading

def frame(payload):
    return struct.pack("<II", 0x9E2B83C1, len(payload)) + payload

def serve(client):
    client.sendall(frame(b"connected to a test"))
    received = b""
    while piece := client.recv(4096):
        received += piece
        while len(received) >= 8 and len(received) >= 8 + struct.unpack_from("<I", received, 4)[0]:
            end = 8 + struct.unpack_from("<I", received, 4)[0]
            number, _, command = received[8:end].partition(b":")
            received = received[end:]
            client.sendall(frame(number + b":" + command.split()[-1]))

listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    client, _ = listener.accept()
    threading.Thread(target=serve, args=(client,), daemon=True).start()
"""


@pytest.fixture
def program(tmp_path):
    """Writes an executable Python program: ``program(text)`` gives its path."""

    def write(text, name="build"):
        path = tmp_path / name
        path.write_text(f"#!{sys.executable}\n{text}")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return write


def launching(binary, **launch):
    ours = load_mapping("ours").model_dump()
    ours["connection"] |= {"connect_timeout_s": 2.0, "reply_timeout_s": 5.0}
    settings = {"first_port": 19_200, "last_port": 19_399, "allow_root": True, "start_timeout_s": 20.0}
    ours["launch"] = {"binary": binary, "arguments": ["{port}"], **settings, **launch}
    return Mapping.model_validate(ours)


def running():
    return [child for child in psutil.Process().children(recursive=True) if child.status() != psutil.STATUS_ZOMBIE]


OTHERS = set()


@pytest.fixture(autouse=True)
def _of_other_tests():
    """What ran before a test, such as processes that keep tests' servers, is none of its instances."""
    OTHERS.clear()
    OTHERS.update(child.pid for child in running())


def children():
    return [child for child in running() if child.pid not in OTHERS]


def has_ended(pid):
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_it_answers_when_it_is_there_and_is_gone_when_stopped(program):
    instance = Instance(launching(program(SIMPLE_SERVER)), SIZE)
    assert instance.is_running
    assert os.getpgid(instance.pid) == instance.pid != os.getpgid(0)
    instance.stop()
    assert not instance.is_running
    assert has_ended(instance.pid)
    instance.stop()


def test_what_it_started_ends_with_it(program, tmp_path):
    note = tmp_path / "child"
    text = "import subprocess, pathlib\nchild = subprocess.Popen(['sleep', '60'])\n"
    text += f"pathlib.Path({str(note)!r}).write_text(str(child.pid))\n" + SIMPLE_SERVER
    instance = Instance(launching(program(text)), SIZE)
    child = int(note.read_text())
    assert psutil.pid_exists(child)
    instance.stop()
    deadline = time.monotonic() + 5
    while not has_ended(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert has_ended(child)


def test_one_that_does_not_listen_to_reason_is_killed(program):
    text = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SIMPLE_SERVER
    instance = Instance(launching(program(text), stop_timeout_s=0.3), SIZE)
    start = time.monotonic()
    instance.stop()
    assert has_ended(instance.pid)
    assert 0.3 <= time.monotonic() - start < 5


def test_one_that_ends_at_once_tells_its_last_words(program):
    text = "import sys\nsys.exit('no GPU was found')\n"
    with pytest.raises(RendererError, match=r"build ended before it answered: no GPU was found"):
        Instance(launching(program(text)), SIZE)
    assert children() == []


def test_one_that_never_answers_is_ended(program):
    with pytest.raises(RendererError, match=r"the instance does not answer: 127\.0\.0\.1:\d+: no connection"):
        Instance(launching(program("import time\ntime.sleep(60)\n"), start_timeout_s=0.5), SIZE)
    assert children() == []


def test_what_is_no_program(tmp_path):
    (tmp_path / "text").write_text("no program")
    for binary in (tmp_path / "none", tmp_path / "text", tmp_path):
        with pytest.raises(RendererError, match=f"launch.binary: {binary} is no program that can be run here"):
            Instance(launching(str(binary)), SIZE)


def test_a_program_that_cannot_be_started(tmp_path):
    path = tmp_path / "build"
    path.write_bytes(b"\x00\x01")
    path.chmod(0o755)
    with pytest.raises(RendererError, match="build cannot be started: Exec format error"):
        Instance(launching(str(path)), SIZE)


@pytest.mark.parametrize(
    "settings", [{"arguments": ("a\0",)}, {"environment": {"A": "b\0"}}, {"environment": {"A=": "b"}}]
)
def test_what_no_program_can_be_given(program, settings):
    with pytest.raises(RendererError, match=r"launch: .*build cannot be started: (embedded|illegal)"):
        Instance(launching(program(""), **settings), SIZE)


def test_root_is_told_before_anything_starts(program, monkeypatch, tmp_path):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    text = f"import pathlib\npathlib.Path({str(tmp_path / 'ran')!r}).touch()\n"
    with pytest.raises(RendererError, match="Unreal refuses to run as root: be another user"):
        Instance(launching(program(text), allow_root=False), SIZE)
    assert not (tmp_path / "ran").exists()


def test_another_system_is_told_what_to_do(program, monkeypatch):
    monkeypatch.delattr(os, "waitid")
    with pytest.raises(RendererError, match="instances are started on Linux only: start the program yourself"):
        Instance(launching(program(SIMPLE_SERVER)), SIZE)


def test_arguments_environment_and_ini(program, tmp_path):
    note, ini = tmp_path / "told", tmp_path / "unrealcv.ini"
    text = "import os, pathlib, sys\n"
    text += f"told = [*sys.argv[1:], os.environ['STORE'], pathlib.Path({str(ini)!r}).read_text()]\n"
    text += f"pathlib.Path({str(note)!r}).write_text('|'.join(told))\nsys.argv[1] = sys.argv[1][7:]\n" + SIMPLE_SERVER
    mapping = launching(
        program(text),
        arguments=["-cvport{port}", "-ResX={width}", "-ResY={height}"],
        environment={"STORE": "milk"},
        ini=str(ini),
    )
    instance = Instance(mapping, (640, 480))
    port = instance.endpoint[1]
    instance.stop()
    lines = f"[UnrealCV.Core]\nPort={port}\nWidth=640\nHeight=480\nFOV=90.000000\n"
    assert note.read_text() == f"-cvport{port}|-ResX=640|-ResY=480|milk|{lines}"


def test_an_ini_that_cannot_be_written(program, tmp_path):
    with pytest.raises(RendererError, match=r"launch\.ini: .*cannot be written: No such file or directory"):
        Instance(launching(program(SIMPLE_SERVER), ini=str(tmp_path / "none" / "unrealcv.ini")), SIZE)


def test_no_two_instances_have_one_port():
    with socket.create_server(("127.0.0.1", 19_400)):
        ports = [Port(19_400, 19_403) for _ in range(3)]
        assert [port.number for port in ports] == [19_401, 19_402, 19_403]
        with pytest.raises(RendererError, match="no port from 19400 to 19403 is free"):
            Port(19_400, 19_403)
        ports[1].release()
        again = Port(19_400, 19_403)
        assert again.number == 19_402
    for port in (*ports, again):
        port.release()


def test_ports_are_kept_apart_between_processes_and_threads():
    """Four processes with two threads each take eight ports at the same time."""
    text = (
        "import sys, threading\nfrom siturec_gym.renderers.unrealcv.ports import Port\nports = []\n"
        "def take(): ports.append(Port(19_410, 19_440))\n"
        "threads = [threading.Thread(target=take) for _ in range(2)]\n"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads]\n"
        "print(*[port.number for port in ports], flush=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, "-c", text]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(4)]
    taken = [int(word) for process in processes for word in process.stdout.readline().split()]
    for process in processes:
        process.communicate()
    assert len(taken) == len(set(taken)) == 8


def test_a_pool_keeps_instances_running_between_users(program):
    with InstancePool(launching(program(SIMPLE_SERVER)), SIZE) as pool:
        first = pool.acquire()
        second = pool.acquire()
        assert first.endpoint != second.endpoint
        pool.release(first)
        assert pool.acquire() is first
        pool.release(second)
        second.stop()
        third = pool.acquire()
        assert third is not second
        pids = [first.pid, third.pid]
    assert all(has_ended(pid) for pid in pids)
    assert children() == []


def test_a_pool_ends_what_hangs_and_starts_another(program):
    mapping = launching(program(SIMPLE_SERVER), stop_timeout_s=0.5)
    mapping = mapping.model_copy(
        update={"connection": mapping.connection.model_copy(update={"connect_timeout_s": 0.5})}
    )
    with InstancePool(mapping, SIZE) as pool:
        first = pool.acquire()
        pool.release(first)
        os.kill(first.pid, signal.SIGSTOP)
        assert pool.acquire() is not first
        assert has_ended(first.pid)
    assert children() == []


def test_what_is_given_back_to_a_closed_pool_ends(program):
    pool = InstancePool(launching(program(SIMPLE_SERVER)), SIZE)
    instance = pool.acquire()
    pool.close()
    assert not instance.is_running
    pool.release(instance)
    pool.close()


def test_a_pool_without_a_launch():
    with pytest.raises(RendererError, match="the mapping does not say how an instance is started: add launch"):
        InstancePool(load_mapping("ours"), SIZE)


def test_a_process_that_ends_ends_its_instances(program):
    text = (
        "import sys\nfrom siturec_gym.renderers.unrealcv.instances import Instance\n"
        "from siturec_gym.renderers.unrealcv.mapping import Mapping\n"
        "print(Instance(Mapping.model_validate_json(sys.argv[1]), (64, 48)).pid)\n"
        "kept = Instance(Mapping.model_validate_json(sys.argv[1]), (64, 48))\nprint(kept.pid)\n"
    )
    mapping = launching(program(SIMPLE_SERVER)).model_dump_json()
    result = subprocess.run([sys.executable, "-c", text, mapping], capture_output=True, text=True, check=True)
    pids = [int(word) for word in result.stdout.split()]
    assert len(pids) == 2
    assert all(has_ended(pid) for pid in pids)


def test_a_forked_process_leaves_its_parents_instances_alone(program):
    instance = Instance(launching(program(SIMPLE_SERVER)), SIZE)
    child = os.fork()
    if child == 0:
        instance.stop()
        os._exit(0)
    os.waitpid(child, 0)
    assert instance.is_running
    instance.stop()


def test_threads_share_a_pool(program):
    with InstancePool(launching(program(SIMPLE_SERVER)), SIZE) as pool:
        used = []

        def use():
            for _ in range(5):
                instance = pool.acquire()
                used.append(instance.pid)
                pool.release(instance)

        threads = [threading.Thread(target=use) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(used) == 15
        assert len(set(used)) <= 3


def open_sockets():
    return {(each.laddr, each.raddr) for each in psutil.Process().net_connections("all")}


@pytest.fixture
def siturec():
    return str(Path(sys.executable).parent / "siturec")


def test_our_own_server_as_the_build(supermarket, siturec, short_folder):
    """A whole renderer on a launched instance, over a Unix socket; nothing of it is left."""
    mapping = launching(
        siturec,
        arguments=["unreal", "serve", "--scene", "supermarket", "--port", "{port}", "--socket", "{socket}"],
        start_timeout_s=60.0,
    )
    path = str(short_folder / "{port}.socket")
    mapping = mapping.model_copy(update={"connection": mapping.connection.model_copy(update={"socket": path})})
    remote = make_renderer("unrealcv", supermarket, *SIZE, mapping=mapping)
    local = make_renderer("embedded", supermarket, *SIZE)
    pose = Pose(supermarket.start_pose.x, supermarket.start_pose.y, 90.0)
    assert (remote.render(pose).ids == local.render(pose).ids).all()
    assert len(children()) == 1
    remote.close()
    assert children() == []
    assert list(short_folder.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["died", "hangs"])
def test_an_instance_that_fails_is_started_anew(supermarket, siturec, number):
    """Between two turns; the item in the hand stays in the hand."""
    mapping = launching(siturec, arguments=["unreal", "serve", "--port", "{port}"], start_timeout_s=60.0)
    mapping = mapping.model_copy(update={"launch": mapping.launch.model_copy(update={"stop_timeout_s": 1.0})})
    quick = {"connect_timeout_s": 1.0, "reply_timeout_s": 2.0, "attempts": 2}
    mapping = mapping.model_copy(update={"connection": mapping.connection.model_copy(update=quick)})
    remote, local = (
        make_renderer(name, supermarket, *SIZE, **config)
        for name, config in (("unrealcv", {"mapping": mapping}), ("embedded", {}))
    )
    pose = Pose(supermarket.start_pose.x, supermarket.start_pose.y, 90.0)
    item = int(local.visibility(pose).object_ids[0])
    for renderer in (remote, local):
        renderer.set_object(item, visible=False)
    assert (remote.render(pose).ids == local.render(pose).ids).all()
    (child,) = children()
    child.send_signal(number)
    pose = Pose(pose.x, pose.y + 0.5, 80.0)
    assert (remote.render(pose).ids == local.render(pose).ids).all()
    assert has_ended(child.pid)
    assert remote.execute(ToolCall("move_forward", distance_m=1.0)) == local.execute(
        ToolCall("move_forward", distance_m=1.0)
    )
    remote.close()
    assert children() == []


def test_a_hundred_times_opened_and_closed_leaves_nothing(program):
    process = psutil.Process()
    mapping = launching(program(SIMPLE_SERVER))
    Instance(mapping, SIZE).stop()
    before = process.num_fds(), threading.active_count(), open_sockets()
    for _ in range(100):
        Instance(mapping, SIZE).stop()
    assert (process.num_fds(), threading.active_count(), open_sockets()) == before
    assert children() == []


@pytest.mark.long
def test_environments_opened_and_closed_leave_nothing(supermarket, siturec):
    """The whole of it, thirty times: our server launched, painted, looked at, ended."""
    mapping = launching(siturec, arguments=["unreal", "serve", "--port", "{port}"], start_timeout_s=60.0)
    process = psutil.Process()
    before = None
    for number in range(31):
        remote = make_renderer("unrealcv", supermarket, *SIZE, mapping=mapping)
        remote.visibility(supermarket.start_pose)
        remote.close()
        if number == 0:
            before = process.num_fds(), threading.active_count(), open_sockets()
    assert (process.num_fds(), threading.active_count(), open_sockets()) == before
    assert children() == []
