import type { Vocabulary } from '../../language.js';

/** Titles and help of the settings of the camera. */
export const CAMERA: Vocabulary = {
  Camera: 'Camera',
  'Use the camera': 'Camera gebruiken',
  'Off leaves the camera alone.': 'Uit laat de camera met rust.',
  Kind: 'Soort',
  '"auto" is the Pi camera, and a simulated one only on a machine that is no Raspberry Pi and has no camera programs.':
    '"auto" is de Pi-camera, en een gesimuleerde alleen op een machine die geen Raspberry Pi is en geen cameraprogramma’s heeft.',
  '"auto" takes the first one; otherwise its number, from 0.':
    '"auto" neemt de eerste; anders het nummer, vanaf 0.',
  'First picture within': 'Eerste beeld binnen',
  'The camera is started again when it shows nothing for this long.':
    'De camera wordt opnieuw gestart als hij zo lang niets toont.',
  Width: 'Breedte',
  'Of the live picture; even.': 'Van het livebeeld; even.',
  Height: 'Hoogte',
  'Pictures a second': 'Beelden per seconde',
  'Of the live picture. The camera may give fewer.': 'Van het livebeeld. De camera kan er minder geven.',
  Quality: 'Kwaliteit',
  'Of the live picture: more looks better and is slower to send.':
    'Van het livebeeld: meer ziet er beter uit en is trager te versturen.',
  'Photo width': 'Breedte van een foto',
  'Even.': 'Even.',
  'Photo height': 'Hoogte van een foto',
  'Photo quality': 'Kwaliteit van een foto',
  'Of the saved JPEG.': 'Van de bewaarde JPEG.',
  'Mirror left to right': 'Links en rechts spiegelen',
  'For a camera that looks into a mirror.': 'Voor een camera die in een spiegel kijkt.',
  'Mirror top to bottom': 'Boven en onder spiegelen',
  'Turned by': 'Gedraaid',
  '180 for a camera that is mounted upside down.': '180 voor een camera die ondersteboven hangt.',
  'Exposure time': 'Belichtingstijd',
  '0 is automatic. For live pictures no longer than the time of one picture.':
    '0 is automatisch. Voor livebeeld niet langer dan de tijd van één beeld.',
  Gain: 'Versterking',
  '0 is automatic; more is brighter and noisier.': '0 is automatisch; meer is lichter en geeft meer ruis.',
  'Exposure correction': 'Belichtingscorrectie',
  'In stops, for the automatic exposure.': 'In stops, voor de automatische belichting.',
  Exposure: 'Belichting',
  '"sport" prefers short times, "long" long ones.':
    '"sport" geeft de voorkeur aan korte tijden, "long" aan lange.',
  Metering: 'Lichtmeting',
  'Which part of the picture the automatic exposure looks at.':
    'Naar welk deel van het beeld de automatische belichting kijkt.',
  'White balance': 'Witbalans',
  '"custom" takes the one that the camera\'s tuning file defines.':
    '"custom" neemt die uit het afstelbestand van de camera.',
  'White balance by hand': 'Witbalans met de hand',
  'Red gain': 'Versterking rood',
  'Empty is automatic; needs the blue gain as well.':
    'Leeg is automatisch; vraagt ook de versterking van blauw.',
  'Blue gain': 'Versterking blauw',
  'Empty is automatic; needs the red gain as well.':
    'Leeg is automatisch; vraagt ook de versterking van rood.',
  'Noise reduction': 'Ruisonderdrukking',
  '"cdn" is that of colour alone.': '"cdn" is alleen die van kleur.',
  Brightness: 'Helderheid',
  '-1 is black, 1 is white.': '-1 is zwart, 1 is wit.',
  Contrast: 'Contrast',
  '1 is normal.': '1 is gewoon.',
  Colour: 'Kleur',
  '0 is grey, 1 is normal.': '0 is grijs, 1 is gewoon.',
  Sharpness: 'Scherpte',
  'Part of the picture': 'Deel van het beeld',
  'Left edge': 'Linkerrand',
  '0 is the left of the whole picture.': '0 is de linkerkant van het hele beeld.',
  'Upper edge': 'Bovenrand',
  '0 is the top of the whole picture.': '0 is de bovenkant van het hele beeld.',
  'Share of the width': 'Deel van de breedte',
  '1 is all.': '1 is alles.',
  'Share of the height': 'Deel van de hoogte',
  Focus: 'Scherpstelling',
  'Only for cameras that can focus; others refuse it.':
    'Alleen voor camera’s die kunnen scherpstellen; andere weigeren het.',
  'Focus at': 'Scherp op',
  '0 is infinity, 10 is 10 cm. Only with the focus "manual".':
    '0 is oneindig, 10 is 10 cm. Alleen met scherpstelling "manual".',
};
