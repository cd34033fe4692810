"""Between opening and closing: instances that die, stores that forget, and what is given back."""

import pytest

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv import session as module
from siturec_gym.renderers.unrealcv.colors import paints_of
from siturec_gym.renderers.unrealcv.eyes import Eyes
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.renderers.unrealcv.reading import load_mapping
from siturec_gym.renderers.unrealcv.session import Session
from siturec_gym.renderers.unrealcv.shelves import LostStateError, Shelves

SIZE = 160, 120
LAUNCH = {"binary": "/bin/true"}


@pytest.fixture
def session(tiny_scene, request):
    """A session of the tiny store at a Unix socket: ``session(path, launch=None, pool=None)``."""

    def build(path, launch=None, pool=None):
        content = load_mapping("ours").model_dump() | {"launch": launch}
        content["connection"] |= {"socket": path, "attempts": 2, "connect_timeout_s": 1.0}
        mapping = Mapping.model_validate(content)
        names = Names(tiny_scene, mapping.objects)
        shelves = Shelves(mapping.objects, names, paints_of(tiny_scene, names, "product"))
        made = Session(mapping, tiny_scene, names, shelves, Eyes(mapping, SIZE, None), pool)
        request.addfinalizer(made.close)
        return made, shelves

    return build


class Program:
    """An instance made of a server in this process. ``started`` holds all of them, the first one first."""

    started: list["Program"]
    served: list

    def __init__(self, *_):
        self.server = self.served.pop(0)
        self.endpoint = self.server.path
        self.stops = 0
        self.is_running = True
        self.started.append(self)

    def dies(self):
        self.server.server.stop()
        self.is_running = False

    def answers(self):
        return self.is_running

    def stop(self):
        self.stops += 1
        self.is_running = False


@pytest.fixture
def programs(serve, tiny_scene, monkeypatch):
    monkeypatch.setattr(Program, "started", [], raising=False)
    monkeypatch.setattr(Program, "served", [serve(tiny_scene, *SIZE, light="plain") for _ in range(3)], raising=False)
    monkeypatch.setattr(module, "Instance", Program)
    return Program.started


def echoed(made):
    return made.ask(lambda: ["vget /unrealcv/echo here"], lambda replies: replies[0])


def test_a_closed_session_says_so(session, serve, tiny_scene):
    made, _ = session(serve(tiny_scene, *SIZE, light="plain").path)
    assert not made.is_open
    with pytest.raises(RendererError, match="closed: call connect"):
        _ = made.link
    made.open()
    assert made.is_open
    assert echoed(made) == "here"
    made.close()
    made.close()
    assert not made.is_open


def test_one_that_cannot_be_set_up_is_closed_again(session, serve, supermarket):
    made, _ = session(serve(supermarket, *SIZE).path)
    made._names._of_id["I0001"] = "Nobody"
    with pytest.raises(RendererError, match="no object is called Nobody"):
        made.open()
    assert not made.is_open


def test_closing_shows_what_was_hidden(session, serve, tiny_scene):
    served = serve(tiny_scene, *SIZE, light="plain")
    made, shelves = session(served.path)
    made.open()
    shelves.show(2, False)
    made.ask(shelves.commands, lambda _: shelves.confirm())
    assert served.worlds[0].cameras[0]._hidden == {2}
    shelves.show(2, True)
    made.close()
    assert served.worlds[0].cameras[0]._hidden == frozenset()


def test_a_store_that_forgot_is_set_up_before_it_is_asked_again(session, serve, tiny_scene):
    served = serve(tiny_scene, *SIZE, light="plain")
    made, shelves = session(served.path)
    made.open()
    before = served.worlds[0].palette[1]
    for number in range(1, 7):
        served.worlds[0].palette[number] = (1, 2, 3)
    made.link.close()
    assert made.ask(lambda: [*shelves.commands(), "vget /unrealcv/echo here"], lambda replies: replies[-1]) == "here"
    assert served.worlds[0].palette[1] == before


def test_a_store_that_forgets_each_time_is_given_up(session, serve, tiny_scene):
    made, _ = session(serve(tiny_scene, *SIZE, light="plain").path)
    made.open()
    asked = []

    def lost():
        asked.append(1)
        raise LostStateError

    with pytest.raises(RendererError, match="the server forgets again and again"):
        made.ask(lost, list)
    assert len(asked) == 2


def test_a_dead_instance_is_replaced_once_and_set_up_as_it_was(session, programs, tiny_scene):
    made, shelves = session("unused", LAUNCH)
    made.open()
    shelves.show(2, False)
    first = programs[0]
    first.dies()
    assert made.ask(lambda: [*shelves.commands(), "vget /unrealcv/echo here"], lambda replies: replies[-1]) == "here"
    assert len(programs) == 2
    assert first.stops >= 1
    assert programs[1].server.worlds[0].cameras[0]._hidden == {2}
    assert programs[1].server.worlds[0].palette[1] == shelves.color_of("I0001")


def test_an_instance_that_lives_is_not_replaced_for_an_error(session, programs):
    made, _ = session("unused", LAUNCH)
    made.open()
    with pytest.raises(RendererError, match="No handler found"):
        made.ask(lambda: ["vget /nothing"], list)
    assert len(programs) == 1
    made.close()
    assert programs[0].stops == 1


def test_an_instance_of_a_pool_goes_back_to_it(session, programs):
    class Pool:
        def __init__(self):
            self.back = []

        def acquire(self):
            return Program()

        def release(self, instance):
            self.back.append(instance)

    pool = Pool()
    made, _ = session("unused", LAUNCH, pool)
    made.open()
    made.close()
    assert pool.back == programs
    assert programs[0].stops == 0
