"""Stores at rest: fixtures, instances, waypoints, structures and maps."""

from siturec_gym.scenes.loading import SCENES, load_scene, parse_scene
from siturec_gym.scenes.scene import Fixture, Instance, Scene, Structure, Waypoint

__all__ = ["SCENES", "Fixture", "Instance", "Scene", "Structure", "Waypoint", "load_scene", "parse_scene"]
