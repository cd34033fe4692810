"""A scene of your own: a small museum, in which a guide leads a visitor to an exhibit.

Exhibits take the place of products: to add one to the cart is to book the talk about it, and its price is what the talk
costs. All there is to know of the museum lies in the files of ``museum/``; docs/scenes.md, "A scene of your own",
explains each of them. This module proves the scene, plays a task and saves what the visitor sees at the end.

Run: python examples/custom_scene/museum.py --task museum/02.3 --frame museum.png
"""

import argparse
from pathlib import Path

from PIL import Image

from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.scenes.validation import measure, validate
from siturec_gym.situated_store import SituatedStore
from siturec_gym.users import make_user

FOLDER = Path(__file__).parent / "museum"
STORE = SituatedStore(FOLDER, renderer_config={"light": "plain"})
env, raw_env, parallel_env, gym_env = STORE.env, STORE.raw_env, STORE.parallel_env, STORE.gym_env


def main() -> None:
    """Check the scene, play one task, save a frame."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="museum/02.3", help="museum/01.1 to museum/03.4")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--frame", type=Path, default=Path("museum.png"), help="where to save the visitor's last view")
    options = parser.parse_args()

    for line in validate(STORE.scene) or measure(STORE.scene):
        print(line)
    museum = env(image_size=(640, 480), preset="vlm")
    guide = make_assistant("heuristic", words=FOLDER / "words.json")
    record = play(museum, guide, make_user("agenda"), options.task, options.seed)
    for turn in record.turns:
        print(f"{turn.turn:2} guide: {turn.assistant.utterance}\n   visitor: {turn.user.utterance}")
    names = [STORE.scene.catalog.by_id[product].name for product in record.cart]
    print(f"end: {record.end_reason}, booked: {', '.join(names) or 'nothing'}, wanted: {record.reference_set}")
    Image.fromarray(museum.unwrapped.observe("user")["rgb"]).save(options.frame)


if __name__ == "__main__":
    main()
