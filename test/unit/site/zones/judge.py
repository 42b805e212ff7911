"""Reads drives as JSON lines: footprint, zones (polygons) and poses [x, y, heading in radians] of the cart, in mm.

Prints the number of poses and those in which the footprint overlaps a zone by more than 1 mm2. Shares no code with
the gateway; requires python3-shapely.
"""

import json
import sys

from shapely.affinity import affine_transform
from shapely.geometry import Polygon
from shapely.prepared import prep
from math import cos, sin

poses = 0
overlaps = []
for number, line in enumerate(sys.stdin):
    drive = json.loads(line)
    footprint = Polygon(drive["footprint"])
    zones = [Polygon(zone) for zone in drive["zones"]]
    prepared = [prep(zone) for zone in zones]
    for x, y, heading in drive["poses"]:
        poses += 1
        c, s = cos(heading), sin(heading)
        cart = affine_transform(footprint, [c, -s, s, c, x, y])
        for zone, near in zip(zones, prepared):
            if near.intersects(cart) and zone.intersection(cart).area > 1:
                overlaps.append([number, x, y, heading])
print(json.dumps({"poses": poses, "overlaps": overlaps[:10]}))
