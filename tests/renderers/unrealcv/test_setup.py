"""Setting a server up that gives the setup no chance: it ends, with the reason."""

import pytest

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers import make_renderer
from siturec_gym.renderers.unrealcv.link import Link
from siturec_gym.renderers.unrealcv.reading import load_mapping


@pytest.mark.parametrize("multi", [False, True])
def test_a_command_that_is_never_obeyed_ends_the_setup(serve, tiny_scene, multi):
    """With ``multi`` each new connection finds a fresh store, where the setup begins anew."""
    served = serve(tiny_scene, 160, 120, multi=multi)
    content = load_mapping("ours").model_dump(mode="json")
    content["cameras"]["user"] = 9
    remote = make_renderer("unrealcv", tiny_scene, 160, 120, mapping=content, socket=served.path)
    with pytest.raises(RendererError, match=r"there is no camera 9; cameras are 0 to 1 \(tried 4 times\)"):
        remote.connect()


def test_a_server_that_forgets_while_it_is_looked_at_ends_the_setup(serve, tiny_scene, monkeypatch):
    served = serve(tiny_scene, 160, 120, multi=True)
    remote = make_renderer("unrealcv", tiny_scene, 160, 120, socket=served.path)
    original, broken = Link.ask, [False]

    def ask(self, commands, read, timeout_s=None):
        """Every look of the calibration begins with a new connection."""
        broken[0] = not broken[0]
        if "object_mask" in " ".join(commands()) and broken[0]:
            self.close()
        return original(self, commands, read, timeout_s)

    monkeypatch.setattr(Link, "ask", ask)
    with pytest.raises(RendererError, match="the server forgets again and again what it was told"):
        remote.connect()


def test_a_view_that_is_not_there_is_named_though_each_connection_begins_anew(serve, tiny_scene):
    served = serve(tiny_scene, 160, 120, multi=True)
    content = load_mapping("ours").model_dump(mode="json")
    content["images"]["rgb"]["name"] = "Lit"
    remote = make_renderer("unrealcv", tiny_scene, 160, 120, mapping=content, socket=served.path)
    with pytest.raises(RendererError, match=r"forgets again and again.* went wrong: 'vget /camera/0/Lit npy'"):
        remote.render(tiny_scene.start_pose)
    remote.close()
