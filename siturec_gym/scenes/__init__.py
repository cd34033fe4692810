"""Stores at rest: fixtures, instances, waypoints, structures and maps."""

from siturec_gym.scenes.loading import SCENES, load_scene, parse_scene
from siturec_gym.scenes.scene import Instance, Place, Scene, Structure, Waypoint

__all__ = ["SCENES", "Instance", "Place", "Scene", "Structure", "Waypoint", "load_scene", "parse_scene"]
