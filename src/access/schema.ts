import type { FromSchema } from 'json-schema-to-ts';
import { ROLES, type Role } from '../http/guard/authenticator.js';

/** The scope `mqtt` permits a broker connection; the `mqtt:…` scopes permit access to topics. */
export const SCOPES = [
  'beacons:write',
  'cart:read',
  'cart:control',
  'settings:write',
  'camera:read',
  'games:write',
  'metrics:read',
  'orders:read',
  'payments:read',
  'payments:write',
  'payments:admin',
  'mqtt',
  'mqtt:read',
  'mqtt:control',
] as const;

const PASSWORD_MIN = 8;
const MAX_PASSWORD = 256;

/** Excludes control characters and lone surrogates (`\p{C}`), because names are displayed and logged. */
const usernameSchema = { type: 'string', minLength: 1, maxLength: 64, pattern: '^[^\\p{C}]+$' } as const;
/** Any character is allowed, and passwords are never trimmed. */
const passwordSchema = { type: 'string', minLength: PASSWORD_MIN, maxLength: MAX_PASSWORD } as const;
const roleSchema = { type: 'string', enum: ROLES } as const;

const codeText = { type: 'string', maxLength: 64 } as const;

/** Has no minimum length, so that a password that is too short gets the same response as an incorrect one. */
export const loginSchema = {
  type: 'object',
  required: ['username', 'password'],
  properties: {
    username: { type: 'string', minLength: 1, maxLength: 64 },
    password: { type: 'string', minLength: 1, maxLength: MAX_PASSWORD },
    code: codeText,
  },
} as const;
export type LoginInput = FromSchema<typeof loginSchema>;

export const newUserSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['username', 'password'],
  properties: { username: usernameSchema, password: passwordSchema, role: roleSchema },
} as const;
export type NewUserInput = FromSchema<typeof newUserSchema>;

export const userPatchSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { role: roleSchema, disabled: { type: 'boolean' }, password: passwordSchema },
} as const;
export type UserPatch = FromSchema<typeof userPatchSchema>;

export const passwordChangeSchema = {
  type: 'object',
  required: ['currentPassword', 'newPassword'],
  properties: {
    currentPassword: { type: 'string', minLength: 1, maxLength: MAX_PASSWORD },
    newPassword: passwordSchema,
  },
} as const;
export type PasswordChange = FromSchema<typeof passwordChangeSchema>;

export const loginCodeSchema = {
  type: 'object',
  required: ['login', 'code'],
  properties: { login: { type: 'string', maxLength: 64 }, code: codeText },
} as const;
export type LoginCodeInput = FromSchema<typeof loginCodeSchema>;

export const ownFactorSchema = {
  type: 'object',
  required: ['currentPassword'],
  properties: { currentPassword: { type: 'string', minLength: 1, maxLength: MAX_PASSWORD }, code: codeText },
} as const;
export type OwnFactorInput = FromSchema<typeof ownFactorSchema>;

export const codeSchema = { type: 'object', required: ['code'], properties: { code: codeText } } as const;
export type CodeInput = FromSchema<typeof codeSchema>;

export const setupSchema = {
  type: 'object',
  required: ['code', 'username', 'password'],
  properties: {
    code: { type: 'string', minLength: 1, maxLength: 64 },
    username: usernameSchema,
    password: passwordSchema,
  },
} as const;
export type SetupInput = FromSchema<typeof setupSchema>;

export const newKeySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'scopes'],
  properties: {
    name: usernameSchema,
    scopes: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      items: {
        type: 'string',
        anyOf: [{ enum: SCOPES }, { pattern: '^mqtt:cart:[1-9]\\d{0,4}$' }],
        fault: `must be one of ${SCOPES.join(', ')}, or mqtt:cart: followed by a number`,
      },
    },
    /** If absent, the key does not expire. */
    expiresInDays: { type: 'integer', minimum: 1, maximum: 3650, unit: 'days' },
  },
} as const;
export type NewKeyInput = FromSchema<typeof newKeySchema>;

export interface User {
  userId: number;
  username: string;
  role: Role;
  disabled: boolean;
  /** The password was changed after the restored backup was made; an administrator must set a new one. */
  passwordRevoked: boolean;
  totp: boolean;
  createdAt: number;
}

/** A session as shown to its user. Times are Unix times in ms. */
export interface OwnSession {
  /** Derived from the session's handle; not a credential. */
  id: string;
  browser: string | null;
  system: string | null;
  createdAt: number;
  /** Accurate to one minute. */
  lastUsedAt: number;
  current: boolean;
}

/** `prefix` identifies the key; the secret part is not included. */
export interface ApiKey {
  keyId: number;
  name: string;
  prefix: string;
  scopes: readonly string[];
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
}
