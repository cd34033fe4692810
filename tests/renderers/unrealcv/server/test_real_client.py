"""The real ``unrealcv`` client, over TCP and over a Unix socket."""

import unrealcv


def test_connects_and_is_told_every_command(serve, supermarket):
    served = serve(supermarket, 64, 48)
    for address, kind in ((("127.0.0.1", served.port), "inet"), (served.path, "unix")):
        client = unrealcv.Client(address, kind)
        assert client.connect()
        assert client.request("vget /unrealcv/echo nonce-17") == "nonce-17"
        client.disconnect()
