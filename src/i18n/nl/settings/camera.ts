import type { Vocabulary } from '../../language.js';

/** Titles and descriptions of the camera settings. */
export const CAMERA: Vocabulary = {
  Camera: 'Camera',
  'Enable camera': 'Camera inschakelen',
  'If off, the gateway does not use the camera.': 'Indien uit, gebruikt de gateway de camera niet.',
  'Camera source': 'Camerabron',
  '"auto" uses the Pi camera. Other machines without camera programs get a simulated one.':
    '"auto" gebruikt de Pi-camera. Andere machines zonder cameraprogramma’s krijgen een gesimuleerde camera.',
  '"auto" uses the first camera. Otherwise the camera number, from 0.':
    '"auto" gebruikt de eerste camera. Anders het cameranummer, vanaf 0.',
  'First image within': 'Eerste beeld binnen',
  'The camera restarts if it sends no image within this time.':
    'De camera wordt herstart als er binnen deze tijd geen beeld komt.',
  Width: 'Breedte',
  'Live view; must be even.': 'Livebeeld; moet even zijn.',
  Height: 'Hoogte',
  'Images per second': 'Beelden per seconde',
  'Live view. The camera may deliver fewer.': 'Livebeeld. De camera kan er minder leveren.',
  Quality: 'Kwaliteit',
  'Live view. Higher values look better but need more bandwidth.':
    'Livebeeld. Hogere waarden zien er beter uit, maar vragen meer bandbreedte.',
  'Photo width': 'Fotobreedte',
  'Must be even.': 'Moet even zijn.',
  'Photo height': 'Fotohoogte',
  'Photo quality': 'Fotokwaliteit',
  'Quality of the saved JPEG.': 'Kwaliteit van de opgeslagen JPEG.',
  'Mirror horizontally': 'Horizontaal spiegelen',
  'For a camera that faces a mirror.': 'Voor een camera die op een spiegel is gericht.',
  'Mirror vertically': 'Verticaal spiegelen',
  Rotation: 'Rotatie',
  '180 for a camera mounted upside down.': '180 voor een camera die ondersteboven is gemonteerd.',
  'Exposure time': 'Belichtingstijd',
  '0 is automatic. The live view limits it to the time between two images.':
    '0 is automatisch. Het livebeeld beperkt de tijd tot die tussen twee beelden.',
  Gain: 'Versterking',
  '0 is automatic. Higher values are brighter and noisier.':
    '0 is automatisch. Hogere waarden geven een lichter beeld met meer ruis.',
  'Exposure compensation': 'Belichtingscompensatie',
  'In stops, for automatic exposure.': 'In stops, voor automatische belichting.',
  'Exposure mode': 'Belichtingsmodus',
  '"sport" prefers short exposure times, "long" long ones.':
    '"sport" geeft de voorkeur aan korte belichtingstijden, "long" aan lange.',
  Metering: 'Lichtmeting',
  'Part of the image that automatic exposure measures.':
    'Deel van het beeld dat de automatische belichting meet.',
  'White balance': 'Witbalans',
  '"custom" uses the values of the camera\'s tuning file.':
    '"custom" gebruikt de waarden uit het afstelbestand van de camera.',
  'Manual white balance': 'Handmatige witbalans',
  'Red gain': 'Versterking rood',
  'Empty is automatic. Requires the blue gain.': 'Leeg is automatisch. Vereist ook de versterking van blauw.',
  'Blue gain': 'Versterking blauw',
  'Empty is automatic. Requires the red gain.': 'Leeg is automatisch. Vereist ook de versterking van rood.',
  'Noise reduction': 'Ruisonderdrukking',
  '"cdn" is colour noise reduction.': '"cdn" is kleurruisonderdrukking.',
  Brightness: 'Helderheid',
  '-1 is black, 1 is white.': '-1 is zwart, 1 is wit.',
  Contrast: 'Contrast',
  '1 is normal.': '1 is normaal.',
  Saturation: 'Verzadiging',
  '0 is greyscale, 1 is normal.': '0 is grijswaarden, 1 is normaal.',
  Sharpness: 'Scherpte',
  Crop: 'Uitsnede',
  'Left edge': 'Linkerrand',
  '0 is the left edge of the full image.': '0 is de linkerrand van het volledige beeld.',
  'Top edge': 'Bovenrand',
  '0 is the top edge of the full image.': '0 is de bovenrand van het volledige beeld.',
  'Fraction of the width': 'Deel van de breedte',
  '1 is the full width.': '1 is de volledige breedte.',
  'Fraction of the height': 'Deel van de hoogte',
  '1 is the full height.': '1 is de volledige hoogte.',
  Focus: 'Scherpstelling',
  'Only for cameras with autofocus; others reject it.':
    'Alleen voor camera’s met autofocus; andere weigeren deze instelling.',
  'Lens position': 'Lenspositie',
  '0 is infinity, 10 is 10 cm. Used with focus "manual" only.':
    '0 is oneindig, 10 is 10 cm. Alleen van toepassing bij scherpstelling "manual".',
};
