import type { Vocabulary } from '../../language.js';

export const ALARM_SETTINGS: Vocabulary = {
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
};
