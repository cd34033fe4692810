"""The Home Furnishings Store (SituRecBench, A.3): ``env()``, ``raw_env()``, ``parallel_env()``, ``gym_env()``."""

from siturec_gym.situated_store import SituatedStore

_STORE = SituatedStore("home_furnishings")
raw_env = _STORE.raw_env
env = _STORE.env
parallel_env = _STORE.parallel_env
gym_env = _STORE.gym_env
