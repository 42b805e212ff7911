import type { Vocabulary } from '../../language.js';

export const SECTIONS = {
  'Document version': 'Documentversie',
  'This gateway': 'Deze gateway',
  'MQTT broker': 'MQTT-broker',
  'Motor controller': 'Motorcontroller',
  Units: 'Eenheden',
  Presets: 'Voorinstellingen',
  Kinematics: 'Kinematica',
  Limits: 'Limieten',
  'Emergency stop': 'Noodstop',
  Safety: 'Veiligheid',
  'Other carts': 'Andere karren',
  Simulation: 'Simulatie',
  Camera: 'Camera',
  Beacons: 'Bakens',
  Alarms: 'Alarmen',
  Log: 'Logboek',
} as const satisfies Vocabulary;

export const SECTION_MESSAGES: Vocabulary = {
  'section.schemaVersion': SECTIONS['Document version'],
  'section.gateway': SECTIONS['This gateway'],
  'section.mqtt': SECTIONS['MQTT broker'],
  'section.serial': SECTIONS['Motor controller'],
  'section.units': SECTIONS.Units,
  'section.presets': SECTIONS.Presets,
  'section.kinematics': SECTIONS.Kinematics,
  'section.limits': SECTIONS.Limits,
  'section.gpio': SECTIONS['Emergency stop'],
  'section.safety': SECTIONS.Safety,
  'section.carts': SECTIONS['Other carts'],
  'section.simulation': SECTIONS.Simulation,
  'section.camera': SECTIONS.Camera,
  'section.beacons': SECTIONS.Beacons,
  'section.alarms': SECTIONS.Alarms,
  'section.logging': SECTIONS.Log,
};
