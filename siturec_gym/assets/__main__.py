"""``python -m siturec_gym.assets pin``: state the hashes of the shipped data files anew."""

import sys

from siturec_gym.assets import pin, verify

if sys.argv[1:] == ["pin"]:
    print(f"pinned {pin()} files")
else:
    sys.exit("\n".join(verify()) or 0)
