import type { Vocabulary } from '../../language.js';

/** The section `alarms`. */
export const ALARM_SETTINGS: Vocabulary = {
  'E-mail': 'E-mail',
  'Mail server': 'Mailserver',
  'Name or address of the SMTP server. Empty: no e-mail is sent.':
    'Naam of adres van de SMTP-server. Leeg: er wordt geen e-mail verstuurd.',
  'Usually 587 with STARTTLS, 465 with TLS, 25 without encryption.':
    'Meestal 587 bij STARTTLS, 465 bij TLS, 25 zonder versleuteling.',
  Encryption: 'Versleuteling',
  'With STARTTLS and TLS, the certificate of the server must be valid.':
    'Bij STARTTLS en TLS moet het certificaat van de server geldig zijn.',
  'Leave empty if the server does not require a login.': 'Laat leeg als de server geen aanmelding vereist.',
  'Not shown after it is saved.': 'Wordt na het opslaan niet meer getoond.',
  Sender: 'Afzender',
  'E-mail address from which alarms are sent.': 'E-mailadres waarvandaan alarmen worden verstuurd.',
  Recipients: 'Ontvangers',
  'E-mail addresses that receive every alarm. Users subscribe on the Account page.':
    'E-mailadressen die elk alarm ontvangen. Gebruikers melden zich aan op de pagina Account.',
  Webhook: 'Webhook',
  URLs: 'URL’s',
  'Every alarm is sent to these URLs as JSON with POST.':
    'Elk alarm wordt als JSON met POST naar deze URL’s gestuurd.',
  Secret: 'Geheim',
  'If set, X-Cartwright-Signature contains the HMAC-SHA256 of the body.':
    'Als dit is ingevuld, bevat X-Cartwright-Signature de HMAC-SHA256 van de inhoud.',
  STARTTLS: 'STARTTLS',
  'No encryption': 'Geen versleuteling',
  English: 'Engels',
  Dutch: 'Nederlands',
  Language: 'Taal',
  'Language of the alarms.': 'Taal van de alarmen.',
  'Publish over MQTT': 'Publiceren via MQTT',
  'Publishes every alarm on the topic "alarm" of this cart.':
    'Publiceert elk alarm op het topic "alarm" van deze kar.',
};
