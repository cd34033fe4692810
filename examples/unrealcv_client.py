"""Visit a store with the plain ``unrealcv`` client, as if it ran in Unreal: walk to a shelf, look, save three pictures.

Nothing of this package is used here: any UnrealCV program can do the same.

Run: siturec unreal serve --scene supermarket --port 9000      (in another terminal)
     pip install 'unrealcv>=1.3'
     python examples/unrealcv_client.py 9000
"""

import io
import json
import re
import sys

import cv2
import numpy as np
import unrealcv

port = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
client = unrealcv.Client(("127.0.0.1", port))
if not client.connect():
    start = f"siturec unreal serve --scene supermarket --port {port}"
    sys.exit(f"no server answers at port {port}; start one with: {start}")

# Where is everything? Names of items, shelves, walls; centimetres and degrees, left-handed axes.
names = client.request("vget /objects").split()
print(f"{len(names)} objects, the first is {client.request(f'vget /object/{names[0]}/label')}")

# Walk. Each answer says where the walk ended, or why it could not begin.
for step in ("move_forward 200", "move_to_fixture F03 front", "look_up_down down 5"):
    answer = json.loads(client.request(f"vbp User {step}"))
    print(step, "->", answer["refusal"] or answer["pose"])

# Look: one batch, one drawing. Pictures in BGRA as cv2 wants them, depth in centimetres.
lit, mask, depth = client.request(
    ["vget /camera/0/lit png", "vget /camera/0/object_mask png", "vget /camera/0/depth npy"]
)
distance = np.load(io.BytesIO(depth))
with open("unrealcv_lit.png", "wb") as file:
    file.write(lit)
with open("unrealcv_mask.png", "wb") as file:
    file.write(mask)
cv2.imwrite("unrealcv_depth.png", np.uint8(255 * (1 - np.minimum(distance / 500, 1))))

# Which item covers most of the picture? Every object has a colour of its own in the mask.
colors, pixels = np.unique(
    cv2.imdecode(np.frombuffer(mask, np.uint8), cv2.IMREAD_COLOR).reshape(-1, 3)[:, ::-1], axis=0, return_counts=True
)
items = [name for name in names if name.startswith("I")]
of_color = {
    tuple(map(int, re.findall(r"=(\d+)", words)[:3])): name
    for name, words in zip(items, client.request([f"vget /object/{name}/color" for name in items]), strict=True)
}
seen = {
    of_color[tuple(color)]: count
    for color, count in zip(colors.tolist(), pixels, strict=True)
    if tuple(color) in of_color
}
largest = max(seen, key=seen.get)
print(f"{len(seen)} items in view; the largest is {client.request(f'vget /object/{largest}/label')}")
print(f"nearest surface {distance.min():.0f} cm; wrote unrealcv_lit.png, unrealcv_mask.png, unrealcv_depth.png")
client.disconnect()
