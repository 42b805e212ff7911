import type { Vocabulary } from '../../language.js';

export const NAVIGATION: Vocabulary = {
  'Camera model': 'Cameramodel',
  'Determines the field of view until the camera is calibrated.':
    'Bepaalt de beeldhoek zolang de camera niet is gekalibreerd.',
  'Camera calibration': 'Camerakalibratie',
  Method: 'Methode',
  'The page Camera calibration sets this and the following values.':
    'De pagina Camerakalibratie stelt deze en de volgende waarden in.',
  'Calibrated camera': 'Gekalibreerde camera',
  'The calibration applies only to this camera, orientation and crop.':
    'De kalibratie geldt alleen voor deze camera, oriëntatie en uitsnede.',
  'Calibrated width': 'Gekalibreerde breedte',
  'The calibration applies only to images of this width.':
    'De kalibratie geldt alleen voor beelden van deze breedte.',
  'Calibrated height': 'Gekalibreerde hoogte',
  'The calibration applies only to images of this height.':
    'De kalibratie geldt alleen voor beelden van deze hoogte.',
  'Focal length': 'Brandpuntsafstand',
  'In pixels.': 'In pixels.',
  'Image centre, x': 'Beeldmidden, x',
  'Measured from the leftmost pixel.': 'Gemeten vanaf de meest linkse pixel.',
  'Image centre, y': 'Beeldmidden, y',
  'Measured from the topmost pixel.': 'Gemeten vanaf de bovenste pixel.',
  'Radial distortion': 'Radiale vervorming',
  'Negative for a barrel distortion.': 'Negatief bij tonvormige vervorming.',
  'Reprojection error': 'Reprojectiefout',
  'How well the calibration fits its images.': 'Hoe goed de kalibratie bij de beelden past.',
  'Expected error': 'Verwachte fout',
  'Of measured distances.': 'Van gemeten afstanden.',
  'Camera position on the cart': 'Positie van de camera op de kar',
  Forward: 'Naar voren',
  'From the midpoint between the driven wheels to the camera lens; negative to the rear.':
    'Van het midden tussen de aangedreven wielen tot de lens van de camera; negatief naar achteren.',
  'To the left': 'Naar links',
  'Negative to the right.': 'Negatief naar rechts.',
  'Camera direction': 'Richting van de camera',
  '0 is forward; positive values are to the left.': '0 is naar voren; positieve waarden zijn naar links.',
  Localization: 'Lokalisatie',
  'Good position': 'Goede positie',
  'The position of a cart is good if its error is below this limit with a probability of 95 %.':
    'De positie van een kar is goed als de fout met een kans van 95 % onder deze limiet ligt.',
  'Good heading': 'Goede rijrichting',
  'The heading of a cart is good if its error is below this limit with a probability of 95 %.':
    'De rijrichting van een kar is goed als de fout met een kans van 95 % onder deze limiet ligt.',
  'Coarse position': 'Grove positie',
  'Above this limit, the position of a cart counts as lost.':
    'Boven deze limiet geldt de positie van een kar als onbekend.',
  'Coarse heading': 'Grove rijrichting',
};
