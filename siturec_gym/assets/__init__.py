"""Data files: those shipped with the package, and builds of stores for a game engine that a user fetches.

``shipped`` reads and proves what lies under ``siturec_gym/data``. ``builds`` says what a build is and which there are,
``installation`` fetches one into the user's cache folder.
"""

from siturec_gym.assets.shipped import (
    DATA_FOLDER,
    fingerprint,
    manifest,
    manifest_path,
    pin,
    read_asset,
    read_scene_file,
    verify,
)

__all__ = [
    "DATA_FOLDER",
    "fingerprint",
    "manifest",
    "manifest_path",
    "pin",
    "read_asset",
    "read_scene_file",
    "verify",
]
