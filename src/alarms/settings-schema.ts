import type { FromSchema } from 'json-schema-to-ts';
import { faultAnnotation } from '../shared/validation/messages.js';
import { alarmMessage } from './messages.js';

const ADDRESS = '[^\\s@<>,;:"\\\\]{1,64}@[A-Za-z0-9.-]{1,189}';

/** A single e-mail address, without a name, because it becomes part of an SMTP command. */
export const addressSchema = {
  type: 'string',
  maxLength: 254,
  pattern: `^${ADDRESS}$`,
  ...faultAnnotation(alarmMessage('fault.address')),
} as const;

const mailSchema = {
  type: 'object',
  title: 'E-mail',
  additionalProperties: false,
  default: {},
  required: ['host', 'port', 'tls', 'username', 'password', 'sender', 'recipients'],
  properties: {
    host: {
      type: 'string',
      pattern: '^[A-Za-z0-9._:-]{0,253}$',
      ...faultAnnotation(alarmMessage('fault.host')),
      basic: true,
      title: 'Mail server',
      description: 'Name or address of the SMTP server. If empty, no e-mail is sent.',
      default: '',
    },
    port: {
      type: 'integer',
      minimum: 1,
      maximum: 65_535,
      basic: true,
      title: 'Port',
      description: 'Usually 587 for STARTTLS, 465 for TLS or 25 for no encryption.',
      default: 587,
    },
    tls: {
      type: 'string',
      enum: ['starttls', 'tls', 'none'],
      valueTitles: { starttls: 'STARTTLS', tls: 'TLS', none: 'No encryption' },
      basic: true,
      title: 'Encryption',
      description: "With STARTTLS or TLS, the server's certificate must be valid.",
      default: 'starttls',
    },
    username: {
      type: 'string',
      maxLength: 256,
      basic: true,
      title: 'Username',
      description: 'Leave empty if the server does not require a login.',
      default: '',
    },
    password: {
      type: 'string',
      maxLength: 256,
      secret: true,
      basic: true,
      title: 'Password',
      description: 'Not shown again after saving.',
      default: '',
    },
    sender: {
      type: 'string',
      maxLength: 254,
      pattern: `^$|^${ADDRESS}$`,
      ...faultAnnotation(alarmMessage('fault.address')),
      basic: true,
      title: 'Sender',
      description: 'E-mail address from which alarms are sent.',
      default: '',
    },
    recipients: {
      type: 'array',
      maxItems: 20,
      uniqueItems: true,
      items: addressSchema,
      basic: true,
      title: 'Recipients',
      description: 'E-mail addresses that receive every alarm. Users can subscribe on their Account page.',
      default: [],
    },
  },
} as const;

/** Section `alarms` of variables.json. Only administrators can change it. */
export const alarmsSchema = {
  type: 'object',
  title: 'Alarms',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: ['language', 'mail', 'webhook', 'mqtt'],
  properties: {
    language: {
      type: 'string',
      enum: ['en', 'nl'],
      valueTitles: { en: 'English', nl: 'Dutch' },
      title: 'Language',
      description: 'Language in which alarms are sent.',
      default: 'en',
    },
    mail: mailSchema,
    webhook: {
      type: 'object',
      title: 'Webhook',
      additionalProperties: false,
      default: {},
      required: ['urls', 'secret'],
      properties: {
        urls: {
          type: 'array',
          maxItems: 5,
          uniqueItems: true,
          items: {
            type: 'string',
            maxLength: 500,
            // Rejects URLs with a username or password, because URLs are stored and shown in plain text.
            pattern: '^https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:\\d{1,5})?([/?][^\\s<>"#]*)?$',
            ...faultAnnotation(alarmMessage('fault.url')),
          },
          basic: true,
          title: 'URLs',
          description: 'Each alarm is sent to these URLs as JSON in a POST request.',
          default: [],
        },
        secret: {
          type: 'string',
          maxLength: 256,
          secret: true,
          title: 'Secret',
          description:
            'If a secret is set, the X-Cartwright-Signature header contains the HMAC-SHA256 of the request body, with the secret as the key.',
          default: '',
        },
      },
    },
    mqtt: {
      type: 'boolean',
      title: 'Publish over MQTT',
      description: 'Publishes every alarm on this cart\'s "alarm" topic.',
      default: false,
    },
  },
} as const;

export type AlarmsSettings = FromSchema<typeof alarmsSchema>;
