import type { deliveryMessage } from '../../adapters/alarms/messages.js';
import type { alarmMessage } from '../../alarms/messages.js';
import type { SettingTexts } from '../../settings/schema/setting-text.js';
import type { Translations } from '../../shared/messages/message.js';

export const ALARM_TEXTS = {
  Alarms: 'Alarmen',
  'not delivered': 'niet afgeleverd',
  'People and programs outside the console might not be notified of stops and faults.':
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
  'Cart taken over by a restored gateway': 'Kar overgenomen door een teruggezette gateway',
  'Backup failed': 'Back-up mislukt',
  'Save alarms': 'Alarmen opslaan',
  'Stop all, E-stops, protective stops, loss of the motor controller connection, a nearly full disk, failed backups and the takeover of the cart by a restored gateway are reported to these targets and to users who subscribe on their Account page.':
    'Alles stoppen, noodstops, beveiligingsstops, een verbroken verbinding met de motorcontroller, een bijna volle schijf, mislukte back-ups en de overname van de kar door een teruggezette gateway worden gemeld aan deze bestemmingen en aan gebruikers die zich daarvoor op hun pagina Account hebben aangemeld.',
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
  Webhook: 'Webhook',
};

export const ALARM_SETTINGS = {
  Port: 'Poort',
  Username: 'Gebruikersnaam',
  Password: 'Wachtwoord',
  TLS: 'TLS',
  'E-mail': 'E-mail',
  'Mail server': 'Mailserver',
  'Name or address of the SMTP server. If empty, no e-mail is sent.':
    'Naam of adres van de SMTP-server. Als dit veld leeg is, wordt er geen e-mail verstuurd.',
  'Usually 587 for STARTTLS, 465 for TLS or 25 for no encryption.':
    'Meestal 587 voor STARTTLS, 465 voor TLS of 25 zonder versleuteling.',
  Encryption: 'Versleuteling',
  "With STARTTLS or TLS, the server's certificate must be valid.":
    'Bij STARTTLS of TLS moet het certificaat van de server geldig zijn.',
  'Leave empty if the server does not require a login.': 'Laat leeg als de server geen aanmelding vereist.',
  'Not shown again after saving.': 'Wordt na het opslaan niet meer getoond.',
  Sender: 'Afzender',
  'E-mail address from which alarms are sent.': 'E-mailadres waarvandaan alarmen worden verstuurd.',
  Recipients: 'Ontvangers',
  'E-mail addresses that receive every alarm. Users can subscribe on their Account page.':
    'E-mailadressen die elk alarm ontvangen. Gebruikers kunnen zich aanmelden op hun pagina Account.',
  Webhook: 'Webhook',
  URLs: 'URL’s',
  'Each alarm is sent to these URLs as JSON in a POST request.':
    'Elk alarm wordt als JSON in een POST-verzoek naar deze URL’s gestuurd.',
  Secret: 'Geheim',
  'If a secret is set, the X-Cartwright-Signature header contains the HMAC-SHA256 of the request body, with the secret as the key.':
    'Als een geheim is ingevuld, bevat de header X-Cartwright-Signature de HMAC-SHA256 van de inhoud van het verzoek, met het geheim als sleutel.',
  STARTTLS: 'STARTTLS',
  'No encryption': 'Geen versleuteling',
  English: 'Engels',
  Dutch: 'Nederlands',
  Language: 'Taal',
  'Language in which alarms are sent.': 'Taal waarin alarmen worden verstuurd.',
  'Publish over MQTT': 'Publiceren via MQTT',
  'Publishes every alarm on this cart\'s "alarm" topic.':
    'Publiceert elk alarm op het topic “alarm” van deze kar.',
} satisfies SettingTexts<'alarms'>;

export const ALARM_MESSAGES = {
  'alarm.estop': '{cart}: gestopt door {detail} om {time}',
  'alarm.protective-stop': '{cart}: beveiligingsstop om {time}: {detail}',
  'alarm.controller-lost': '{cart}: verbinding met de motorcontroller verbroken om {time}: {detail}',
  'alarm.disk-low': '{cart}: schijf bijna vol om {time}: {detail} vrij',
  'alarm.backup-failed': '{cart}: back-up mislukt om {time}: {detail}',
  'alarm.superseded': '{cart}: een andere gateway heeft deze kar overgenomen om {time}: {detail}',
  'alarm.test': '{cart}: testalarm aangevraagd door {detail} om {time}',
  'alarm.repeated': '{alarm} ({n} keer sinds {since})',
  'alarm.sent': 'Testalarm verstuurd',
  'alarm.sent-in': '{target} heeft het alarm binnen {ms} ms geaccepteerd.',
  'alarm.not-sent': 'Testalarm niet verstuurd',
  'alarm.test-failed': '{target}: {reason}.',
  'alarm.channel-unknown': 'deze bestemming is niet ingesteld',
  'alarm.not-subscribed': 'er zijn geen alarmen gekozen',
  'alarm.no-mail-server': 'er is geen mailserver ingesteld',
  'alarm.no-mail-yet': 'Er worden geen e-mails verstuurd totdat een beheerder een mailserver instelt.',
  'alarm.subscribed': 'Alarmen opgeslagen',
  'alarm.unsubscribed': 'U ontvangt geen alarmen meer',
  'alarm.address-missing': 'ontbreekt: vul een e-mailadres in, of schakel alle alarmen uit',
  'alarm.unanswered': 'geen bevestiging, al kan het bericht zijn aangekomen: {reason}',
  'alarm.broker-down': 'de MQTT-server is niet verbonden: {reason}',
  'alarm.interrupted':
    'de gateway stopte tijdens het versturen van het bericht; het bericht is mogelijk toch aangekomen',
  'alarm.too-late': 'niet afgeleverd binnen 10 minuten: {reason}',
  'alarm.not-tried': 'er was geen poging mogelijk',
  'alarm.removed': 'de bestemming is niet meer ingesteld',
  'alarm.queue-full': 'er wachten te veel alarmen',
  'alarm.delayed': 'Alarm nog niet afgeleverd aan {target}: {reason}',
  'alarm.given-up': 'Alarm niet afgeleverd aan {target}: {reason}',
  'alarm.fault.address': 'moet een e-mailadres zijn, zonder naam',
  'alarm.fault.host': 'moet een hostnaam of adres zijn, zonder spaties of schuine strepen',
  'alarm.fault.url': 'moet een adres zijn zoals https://host/pad, zonder gebruikersnaam en zonder #',
  'delivery.unreachable': 'geen verbinding: {reason}',
  'delivery.login-rejected': 'de mailserver weigerde de gebruikersnaam of het wachtwoord',
  'delivery.status': 'de server antwoordde met status {status}',
  'delivery.rejected': 'de server weigerde het bericht: {reason}',
  'delivery.unanswered': 'geen bevestiging, al kan het bericht zijn aangekomen: {reason}',
} satisfies Translations<typeof alarmMessage> & Translations<typeof deliveryMessage>;
