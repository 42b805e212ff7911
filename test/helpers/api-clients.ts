import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { GatewayProcess } from './gateway.js';
import { untilAnswer } from './until.js';

const PASSWORD = 'correct horse battery';

export interface ApiRequest {
  /** Objects are sent as JSON, strings as form data and buffers unchanged. */
  body?: object | string | Buffer;
  headers?: Record<string, string>;
}

export interface ApiResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  json: Record<string, unknown>;
}

export type ApiClient = (method: string, path: string, apiRequest?: ApiRequest) => Promise<ApiResponse>;

/** A gateway that requires a login, and one client for each role. */
export interface ApiClients {
  gateway: GatewayProcess;
  anonymous: ApiClient;
  customer: ApiClient;
  operator: ApiClient;
  admin: ApiClient;
  /** A client whose API key is for the broker only and gives access to no route. */
  brokerKey: ApiClient;
}

export async function openApiClients(): Promise<ApiClients> {
  const gateway = await GatewayProcess.start(
    {},
    {
      CARTWRIGHT_AUTH: 'required',
      CARTWRIGHT_ADMIN_USER: 'anna',
      CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
    },
  );
  const port = Number(new URL(gateway.url).port);
  const anonymous = apiClient(port, {});
  const login = async (username: string): Promise<ApiClient> => {
    const { headers, text } = await anonymous('POST', '/login', { body: { username, password: PASSWORD } });
    const cookie = headers['set-cookie']?.[0]?.split(';')[0];
    if (!cookie) throw new Error(`the login of ${username} failed: ${text}`);
    return apiClient(port, { cookie, origin: gateway.url });
  };
  const admin = await login('anna');
  for (const [username, role] of [
    ['bo', 'operator'],
    ['cas', 'customer'],
  ]) {
    await admin('POST', '/users', { body: { username, password: PASSWORD, role } });
  }
  const { json } = await admin('POST', '/keys', { body: { name: 'broker', scopes: ['mqtt'] } });
  const brokerKey = apiClient(port, { 'x-api-key': String(json.key) });
  return { gateway, anonymous, customer: await login('cas'), operator: await login('bo'), admin, brokerKey };
}

/** Fewer than the gateway accepts from one address without a delay. */
const CONNECTIONS_PER_ADDRESS = 1000;
let opened = 0;

/** Returns a loopback address, which changes after every 1,000 connections of this process. */
function nextAddress(): string {
  const host = 1 + (Math.floor(opened / CONNECTIONS_PER_ADDRESS) % 250);
  opened += 1;
  return `127.0.0.${host}`;
}

/** Sends and accepts JSON unless `headers` override this. */
function apiClient(port: number, own: Record<string, string>): ApiClient {
  return async (method, path, { body, headers = {} } = {}) => {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
    const bytes = isRaw ? body : JSON.stringify(body);
    const type = isRaw ? 'application/x-www-form-urlencoded' : 'application/json';
    const outgoing = request({
      host: '127.0.0.1',
      localAddress: nextAddress(),
      port,
      method,
      path,
      agent: false,
      headers: {
        accept: 'application/json',
        ...(bytes === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(bytes) }),
        ...own,
        ...headers,
      },
    });
    outgoing.end(bytes);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const answer = await read(incoming);
    outgoing.destroy();
    return answer;
  };
}

/** Reads the whole response, or only the first chunk of an endless stream. */
async function read(incoming: IncomingMessage): Promise<ApiResponse> {
  const { statusCode = 0, headers } = incoming;
  const type = headers['content-type'] ?? '';
  const isEndless = /event-stream|x-mixed-replace/.test(type);
  let text = '';
  for await (const chunk of incoming.setEncoding('latin1')) {
    text += chunk;
    if (isEndless) break;
  }
  const json = type.includes('json') && text ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: statusCode, headers, text, json };
}

/** Resets cart 1 after its E-stop input has been healthy for the required time. */
export function resetCart(client: ApiClient): Promise<ApiResponse> {
  const reset = (): Promise<ApiResponse> => client('POST', '/estop/reset', { body: { cartID: 1 } });
  return untilAnswer(reset, ({ json }) => json.code !== 'RESET_REFUSED');
}
