// Other folders import this module only through this file.

export { Access } from './access.js';
export { accountOf } from './http/account-routes.js';
export { loginRoutes } from './http/login-routes.js';
export { accessApi, loginApi } from './http/openapi.js';
export {
  type AccountPage,
  accountPage,
  type EntryForm,
  type KeysPage,
  keysPage,
  loginCodePage,
  loginPage,
  type SecondFactorPage,
  secondFactorPage,
  setupPage,
  type UsersPage,
  usersPage,
} from './http/pages.js';
export { accessRoutes } from './http/routes.js';
export { type BrokerAuthorizer, createBrokerAuthorizer } from './mqtt/authorizer.js';
export { AccessReads, toUser } from './reads.js';
export { replayAccess } from './revocations/replay.js';
export { type ApiKey, type NewUserInput, newUserSchema, type SCOPES } from './schema.js';
export { newSetupCode } from './secrets.js';

export type { Device } from './sessions/device.js';

export type { StopToken } from './sessions/stop-tokens.js';
export { checked, rejectWeakPassword, usernameKey } from './users/credential-checks.js';
export { hashPassword } from './users/password-hash.js';
export type { AddUser, ChangeUser } from './users/writes.js';
export { accessWrites } from './writes.js';
