import type { Vocabulary } from '../../language.js';

/** The sections of the settings: a change on trial is named after them on every page. */
export const SECTIONS: Vocabulary = {
  'Version of this document': 'Versie van dit document',
  'This gateway': 'Deze gateway',
  'MQTT broker': 'MQTT-broker',
  'Motor controller': 'Motorsturing',
  'Units of distanceID and angleID': 'Eenheden van distanceID en angleID',
  Presets: 'Voorkeuzen',
  Kinematics: 'Kinematica',
  Limits: 'Grenzen',
  'Emergency stop and motor enable': 'Noodstop en motorvrijgave',
  Safety: 'Veiligheid',
  'Other carts': 'Andere karren',
  Simulation: 'Simulatie',
  Camera: 'Camera',
  Beacons: 'Bakens',
  Log: 'Logboek',
};
