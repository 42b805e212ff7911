import type { Vocabulary } from '../language.js';

/** Strings in the alarm panels on the Account and System pages. */
export const ALARMS: Vocabulary = {
  Alarms: 'Alarmen',
  'not delivered': 'niet afgeleverd',
  'People and programs outside the console may not learn of stops and faults.':
    'Personen en programma’s buiten de console krijgen mogelijk geen bericht van stops en storingen.',
  'Check the alarm settings and the network, then send a test alarm.':
    'Controleer de alarminstellingen en het netwerk en verstuur daarna een testalarm.',
  'Go to alarms': 'Naar alarmen',
  'E-mail alarms': 'Alarmen per e-mail',
  'No mail server is configured. An administrator can add one in the settings.':
    'Er is geen mailserver ingesteld. Een beheerder kan er een toevoegen in de instellingen.',
  'No mail server is configured. Add one in the': 'Er is geen mailserver ingesteld. Voeg er een toe in de',
  'alarm settings': 'alarminstellingen',
  'E-mail address': 'E-mailadres',
  'Send an e-mail for': 'Stuur een e-mail bij',
  'Motor controller connection lost': 'Verbinding met motorcontroller verbroken',
  'Disk nearly full': 'Schijf bijna vol',
  'Daily backup failed': 'Dagelijkse back-up mislukt',
  'Save alarms': 'Alarmen opslaan',
  'Stop all, E-stops, protective stops, loss of the motor controller connection, a nearly full disk and failed backups are reported to these targets and to users who subscribe on their Account page.':
    'Alles stoppen, noodstops, beveiligingsstops, een verbroken verbinding met de motorcontroller, een bijna volle schijf en mislukte back-ups worden gemeld aan deze bestemmingen en aan gebruikers die zich daarvoor op hun pagina Account hebben aangemeld.',
  'Alarm settings': 'Alarminstellingen',
  'My e-mail alarms': 'Mijn alarmen per e-mail',
  'You can receive alarms about stops and faults by e-mail.':
    'U kunt alarmen over stops en storingen per e-mail ontvangen.',
  'Alarms for other people and programs': 'Alarmen naar andere personen en programma’s',
  'No targets yet. Add e-mail addresses, webhooks or MQTT in the settings.':
    'Nog geen bestemmingen. Voeg e-mailadressen, webhooks of MQTT toe in de instellingen.',
  'Send test alarm to {{label}}': 'Testalarm versturen naar {{label}}',
  'Send test alarm': 'Testalarm versturen',
  'Send test alarms': 'Testalarmen versturen',
  'E-mail': 'E-mail',
  MQTT: 'MQTT',
  Webhook: 'Webhook',
};
