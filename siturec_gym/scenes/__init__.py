"""Stores at rest: fixtures, instances, waypoints, structures and maps."""

from siturec_gym.scenes.loading import SCENES, load_scene, load_scene_folder, parse_scene
from siturec_gym.scenes.scene import Instance, Place, Scene, Structure, Waypoint

__all__ = [
    "SCENES",
    "Instance",
    "Place",
    "Scene",
    "Structure",
    "Waypoint",
    "load_scene",
    "load_scene_folder",
    "parse_scene",
]
