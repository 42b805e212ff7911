/** A position in an image, in pixels from the centre of the upper left pixel; y points down. */
export interface Point {
  x: number;
  y: number;
}

/** A marker's black square: lower left, lower right, upper right and upper left on the printed marker. */
export type Corners = readonly [Point, Point, Point, Point];

export interface DetectedMarker {
  id: number;
  /** Number of corrected bits. */
  hamming: number;
  /** Mean difference between the brightness of a bit and the threshold, 0…255. */
  margin: number;
  corners: Corners;
}

export interface ImageSize {
  width: number;
  height: number;
}

export interface DetectedMarkers extends ImageSize {
  markers: DetectedMarker[];
}

export interface MarkerDetector {
  /**
   * @param size the size that the image must have; by default, any size is accepted.
   * @throws {GatewayError} `IMAGE_UNUSABLE` if the image is damaged, not supported or has the wrong size.
   *   After any other error, the detector must be replaced.
   */
  detect(jpeg: Uint8Array, size?: ImageSize): DetectedMarkers;
}
