import type { FromSchema } from 'json-schema-to-ts';

/** What a person may do, each more than the one before: buy, drive, decide who else may. */
export const ROLES = ['customer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What an API key may do. `mqtt` lets it into the broker; what it may do there is in the scopes that begin so. */
export const SCOPES = [
  'beacons:write',
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

/** Text that UTF-8 can hold, without control characters: names are shown and logged. */
const usernameSchema = { type: 'string', minLength: 1, maxLength: 64, pattern: '^[^\\p{C}]+$' } as const;
/** Any characters at all, as they are typed: nothing is trimmed. */
const passwordSchema = { type: 'string', minLength: PASSWORD_MIN, maxLength: MAX_PASSWORD } as const;
const roleSchema = { type: 'string', enum: ROLES } as const;

const codeText = { type: 'string', maxLength: 64 } as const;

/** A login is judged by the stored hash: a password that is too short to be set is only a wrong one. */
export const loginSchema = {
  type: 'object',
  required: ['username', 'password'],
  properties: {
    username: { type: 'string', minLength: 1, maxLength: 64 },
    password: { type: 'string', minLength: 1, maxLength: MAX_PASSWORD },
    /** For users with a second factor: six digits, or a recovery code. */
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

/** The second step of a login on a page. */
export const loginCodeSchema = {
  type: 'object',
  required: ['login', 'code'],
  properties: { login: { type: 'string', maxLength: 64 }, code: codeText },
} as const;
export type LoginCodeInput = FromSchema<typeof loginCodeSchema>;

/** A change of the own second factor; `code` when there is one. */
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
        fault: `must be one of ${SCOPES.join(', ')}, or mqtt:cart: with a number`,
      },
    },
    /** Left out: the key does not expire. */
    expiresInDays: { type: 'integer', minimum: 1, maximum: 3650, unit: 'days' },
  },
} as const;
export type NewKeyInput = FromSchema<typeof newKeySchema>;

/** A user as it is shown: never with anything of the password. Times in ms since 1970 UTC. */
export interface User {
  userId: number;
  username: string;
  role: Role;
  disabled: boolean;
  /** The password was changed after the backup that was restored: an administrator has to set a new one. */
  passwordRevoked: boolean;
  /** Whether a login needs a code as well. */
  totp: boolean;
  createdAt: number;
}

/** A session as its user sees it. Times in ms since 1970 UTC. */
export interface OwnSession {
  /** Derived from the handle, so that the list opens nothing. */
  id: string;
  /** As the user agent names them. */
  browser: string | null;
  system: string | null;
  createdAt: number;
  /** To the minute. */
  lastUsedAt: number;
  /** The session that asks. */
  current: boolean;
}

/** An API key as it is shown: `prefix` tells which one it is, the rest is known to its holder alone. */
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

/** Who asks. `lan`: nobody in particular, on a network whose people are trusted. */
export type Principal =
  | { kind: 'user'; userId: number; username: string; role: Role; sessionId: string }
  | { kind: 'key'; keyId: number; name: string; scopes: readonly string[] }
  | { kind: 'lan' }
  | { kind: 'nobody' };

/** For records: who is answerable. */
export function nameOf(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return principal.username;
    case 'key':
      return `key ${principal.name}`;
    case 'lan':
      return 'the operator';
    case 'nobody':
      return 'nobody';
  }
}

/** Whether the role is at least `needed`. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
