#!/usr/bin/python3
"""Renders images of one marker at known positions, for the detector's benchmark. Needs Debian's python3-opencv.

render.py DIR COUNT WIDTH HEIGHT SEED [--none] [--quality 80] writes COUNT JPEG files and DIR/truth.json. Each image contains
one marker of the tag36h11 family, whose black square is 150 mm wide, at 0.3 to 3 m and up to 35 degrees from the optical axis,
with blur, noise and shadows. With --none, the images contain shapes, text and patterns of squares instead of a marker.

Frame: x right, y down, z along the optical axis. Bearing: positive to the left. Yaw: the angle of the marker's normal, 0 if
it points against the optical axis; positive is counter-clockwise, seen from above.
"""
import argparse
import json
import os

import cv2
import numpy as np

SIZE_MM = 150
# Horizontal field of view of the camera, in degrees.
FIELD_OF_VIEW = 66
# The marker's region is rendered larger and then reduced, so that edges are smooth. The factor depends on the region's size.
SUPERSAMPLING = (3, 8)
MAX_REGION = 2_000_000
# Noise is cut from one large image at a random place, because generating it takes longer than everything else.
NOISE = np.random.default_rng(1).standard_normal((1500, 2600), dtype=np.float32)


def texture(marker_id, module):
    """Returns the marker with a white border of two modules; the black square is 8 modules wide."""
    dictionary = cv2.aruco.Dictionary_get(cv2.aruco.DICT_APRILTAG_36h11)
    square = cv2.resize(cv2.aruco.drawMarker(dictionary, marker_id, 8), None, fx=module, fy=module, interpolation=cv2.INTER_NEAREST)
    return cv2.copyMakeBorder(square, *[2 * module] * 4, cv2.BORDER_CONSTANT, value=255)


def background(rng, width, height):
    low = rng.integers(40, 200, (height // 40 + 2, width // 40 + 2)).astype(np.uint8)
    image = cv2.resize(low, (width, height), interpolation=cv2.INTER_CUBIC)
    for _ in range(rng.integers(3, 12)):
        corner = rng.integers(0, [width, height])
        size = rng.integers(10, width // 3, 2)
        shade, is_filled = int(rng.integers(0, 256)), rng.random() < 0.5
        cv2.rectangle(image, corner.tolist(), (corner + size).tolist(), shade, -1 if is_filled else 3)
    return image


def rotation(yaw, pitch, roll):
    """Returns the rotation from the marker's frame (x right, y down, z away from the camera at yaw 0)."""
    turn, _ = cv2.Rodrigues(np.array([0.0, -yaw, 0.0]))
    tilt, _ = cv2.Rodrigues(np.array([pitch, 0.0, 0.0]))
    spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, roll]))
    return turn @ tilt @ spin


def place(rng, width, height, focal):
    """Returns the marker's rotation, position and outer corners such that its border is in the image."""
    while True:
        distance = rng.uniform(300, 3000)
        yaw, pitch, roll = np.radians([rng.uniform(-35, 35), rng.uniform(-10, 10), rng.uniform(-8, 8)])
        turn = rotation(yaw, pitch, roll)
        x, y = rng.uniform(-0.45, 0.45) * width / focal, rng.uniform(-0.45, 0.45) * height / focal
        direction = np.array([x, y, 1.0])
        position = direction / np.linalg.norm(direction) * distance
        half = SIZE_MM / 2 * 1.5
        outer = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]]) @ turn.T + position
        if (outer[:, 2] < 50).any():
            continue
        points = outer[:, :2] / outer[:, 2:] * focal + [(width - 1) / 2, (height - 1) / 2]
        if (points > 4).all() and (points < [width - 5, height - 5]).all():
            return turn, position, points


def draw_marker(rng, image, focal):
    height, width = image.shape
    marker_id = int(rng.integers(0, 587))
    turn, position, points = place(rng, width, height, focal)
    x0, y0 = np.floor(points.min(axis=0)).astype(int) - 1
    x1, y1 = np.ceil(points.max(axis=0)).astype(int) + 2
    scale = int(np.clip(np.sqrt(MAX_REGION / ((x1 - x0) * (y1 - y0))), *SUPERSAMPLING))
    target = np.float32((points - [x0, y0] + 0.5) * scale - 0.5)
    module = int(np.clip(np.ptp(target, axis=0).max() / 12, 8, 200))
    tag = texture(marker_id, module)
    edge = tag.shape[0] - 0.5
    source = np.float32([[-0.5, -0.5], [edge, -0.5], [edge, edge], [-0.5, edge]])
    region = image[y0:y1, x0:x1]
    large = cv2.resize(region, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
    light = rng.uniform(0.6, 1.0) * 0.85
    shaded = cv2.convertScaleAbs(tag, alpha=light, beta=20)
    transform = cv2.getPerspectiveTransform(source, target)
    cv2.warpPerspective(shaded, transform, large.shape[::-1], dst=large, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT)
    region[:] = cv2.resize(large, region.shape[::-1], interpolation=cv2.INTER_AREA)
    normal = -turn[:, 2]
    return {
        "id": marker_id,
        "rangeMm": float(np.linalg.norm(position)),
        "bearingDeg": float(np.degrees(np.arctan2(-position[0], position[2]))),
        "yawDeg": float(np.degrees(np.arctan2(normal[0], -normal[2]))),
    }


def draw_decoys(rng, image):
    height, width = image.shape
    for _ in range(rng.integers(5, 25)):
        text = "".join(rng.choice(list("ABCDEFGHKLMNPRSTUVWXYZ0123456789#%&")) for _ in range(6))
        font, thickness = rng.uniform(0.3, 3), int(rng.integers(1, 8))
        cv2.putText(image, text, rng.integers(0, [width, height]).tolist(), cv2.FONT_HERSHEY_SIMPLEX, font, int(rng.integers(0, 256)), thickness)
    for _ in range(rng.integers(1, 5)):
        # A pattern like that of a marker, with a black border and a white surround.
        cells = rng.integers(0, 2, (6, 6)).astype(np.uint8) * 255
        pattern = cv2.copyMakeBorder(cv2.copyMakeBorder(cells, *[1] * 4, cv2.BORDER_CONSTANT, value=0), *[1] * 4, cv2.BORDER_CONSTANT, value=255)
        size = rng.integers(30, height // 2)
        x0, y0 = rng.integers(0, [width - 30, height - 30])
        region = image[y0 : y0 + size, x0 : x0 + size]
        target = np.float32((np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * 0.8 + rng.uniform(0, 0.2, (4, 2))) * size)
        transform = cv2.getPerspectiveTransform(np.float32([[-0.5, -0.5], [9.5, -0.5], [9.5, 9.5], [-0.5, 9.5]]), target)
        cv2.warpPerspective(pattern, transform, region.shape[::-1], dst=region, flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_TRANSPARENT)


def finish(rng, image):
    """Adds shadows, blur and noise."""
    height, width = image.shape
    if rng.random() < 0.3:
        x0, x1 = sorted(rng.integers(0, width, 2).tolist())
        shade = np.ones((1, width), np.float32)
        shade[:, x0:x1] = rng.uniform(0.5, 0.8)
        image = (image * cv2.GaussianBlur(shade, (0, 0), 5)).astype(np.uint8)
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.0))
    y, x = rng.integers(0, [NOISE.shape[0] - height, NOISE.shape[1] - width])
    noisy = cv2.scaleAdd(NOISE[y : y + height, x : x + width], rng.uniform(1, 6), image.astype(np.float32))
    return cv2.add(noisy, 0, dtype=cv2.CV_8U)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir")
    for name in ("count", "width", "height", "seed"):
        parser.add_argument(name, type=int)
    parser.add_argument("--none", action="store_true")
    parser.add_argument("--quality", type=int, default=80)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(options.dir, exist_ok=True)
    width, height = options.width, options.height
    focal = width / 2 / np.tan(np.radians(FIELD_OF_VIEW / 2))
    rng = np.random.default_rng(options.seed)
    images = []
    for index in range(options.count):
        image = background(rng, width, height)
        truth = None
        if options.none:
            draw_decoys(rng, image)
        else:
            truth = draw_marker(rng, image, focal)
        name = f"{index:05}.jpg"
        cv2.imwrite(os.path.join(options.dir, name), finish(rng, image), [cv2.IMWRITE_JPEG_QUALITY, options.quality])
        images.append({"file": name, "truth": truth})
    camera = {"width": width, "height": height, "fPx": focal, "cxPx": (width - 1) / 2, "cyPx": (height - 1) / 2, "k1": 0}
    with open(os.path.join(options.dir, "truth.json"), "w") as file:
        json.dump({"sizeMm": SIZE_MM, "camera": camera, "images": images}, file)


main()
