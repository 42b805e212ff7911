import type { Vocabulary } from '../../language.js';

export const CAMERA: Vocabulary = {
  Camera: 'Camera',
  'Enable camera': 'Camera inschakelen',
  'If off, the gateway does not use the camera.': 'Als dit uitstaat, gebruikt de gateway de camera niet.',
  'Camera source': 'Camerabron',
  'Automatic: the real camera, or a simulated camera on a machine that is not a Raspberry Pi and has no camera program.':
    'Automatisch: de echte camera, of een gesimuleerde camera op een machine die geen Raspberry Pi is en geen cameraprogramma heeft.',
  '"auto" uses the first camera. To use a different camera, enter its number; numbering starts at 0.':
    '“auto” gebruikt de eerste camera. Voer voor een andere camera het nummer in; de nummering begint bij 0.',
  'First-image timeout': 'Time-out eerste beeld',
  'The camera restarts if the first image does not arrive within this time.':
    'De camera wordt herstart als het eerste beeld niet binnen deze tijd aankomt.',
  Width: 'Breedte',
  'For the live view. Must be an even number.': 'Voor het livebeeld. Moet een even getal zijn.',
  Height: 'Hoogte',
  'Images per second': 'Beelden per seconde',
  'For the live view. The camera may not reach this rate.':
    'Voor het livebeeld. De camera haalt dit aantal niet altijd.',
  Quality: 'Kwaliteit',
  'For the live view. Higher values give better images but need more bandwidth.':
    'Voor het livebeeld. Hogere waarden geven een beter beeld, maar vragen meer bandbreedte.',
  Photos: 'Foto’s',
  'Photo width': 'Fotobreedte',
  'Must be an even number.': 'Moet een even getal zijn.',
  'Photo height': 'Fotohoogte',
  'Photo quality': 'Fotokwaliteit',
  'Quality of the saved JPEG image.': 'Kwaliteit van de opgeslagen JPEG-afbeelding.',
  Mirroring: 'Spiegelen',
  'Mirror horizontally': 'Horizontaal spiegelen',
  'For a camera that faces a mirror.': 'Voor een camera die op een spiegel is gericht.',
  'Mirror vertically': 'Verticaal spiegelen',
  Rotation: 'Rotatie',
  'Use 180 for a camera that is mounted upside down.':
    'Gebruik 180 voor een camera die ondersteboven is gemonteerd.',
  Exposure: 'Belichting',
  'Exposure time': 'Belichtingstijd',
  '0 means automatic. In the live view, the exposure time cannot exceed the time between two images.':
    '0 betekent automatisch. In het livebeeld kan de belichtingstijd niet langer zijn dan de tijd tussen twee beelden.',
  Gain: 'Versterking',
  '0 means automatic. Higher values make the image brighter but add noise.':
    '0 betekent automatisch. Hogere waarden geven een lichter beeld met meer ruis.',
  'Exposure compensation': 'Belichtingscompensatie',
  'In EV. Applies to automatic exposure.': 'In EV. Geldt voor automatische belichting.',
  'Exposure mode': 'Belichtingsmodus',
  'Sport prefers short exposure times; Long prefers long exposure times.':
    'Sport geeft de voorkeur aan korte belichtingstijden; Lang geeft de voorkeur aan lange.',
  Metering: 'Lichtmeting',
  'The part of the image that is measured for automatic exposure.':
    'Het deel van het beeld dat voor de automatische belichting wordt gemeten.',
  Colours: 'Kleuren',
  'White balance': 'Witbalans',
  "Custom uses the values from the camera's tuning file.":
    'Aangepast gebruikt de waarden uit het afstelbestand van de camera.',
  'Manual white balance': 'Handmatige witbalans',
  'Red gain': 'Versterking rood',
  'Leave empty for automatic white balance. If you set this gain, also set the blue gain.':
    'Laat leeg voor automatische witbalans. Als u deze versterking instelt, stel dan ook die van blauw in.',
  'Blue gain': 'Versterking blauw',
  'Leave empty for automatic white balance. If you set this gain, also set the red gain.':
    'Laat leeg voor automatische witbalans. Als u deze versterking instelt, stel dan ook die van rood in.',
  'Image processing': 'Beeldbewerking',
  'Noise reduction': 'Ruisonderdrukking',
  'Noise reduction makes the image smoother but less detailed.':
    'Ruisonderdrukking maakt het beeld gladder, maar minder gedetailleerd.',
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
  'Width (fraction)': 'Deel van de breedte',
  '1 is the full width.': '1 is de volledige breedte.',
  'Height (fraction)': 'Deel van de hoogte',
  '1 is the full height.': '1 is de volledige hoogte.',
  Focus: 'Scherpstelling',
  'Only for cameras with autofocus; other cameras reject this setting.':
    'Alleen voor camera’s met autofocus; andere camera’s weigeren deze instelling.',
  'Lens position': 'Lenspositie',
  '0 is infinity, 10 is 10 cm. Used only if Focus is Manual.':
    '0 is oneindig, 10 is 10 cm. Alleen van toepassing als Scherpstelling op Handmatig staat.',
};
