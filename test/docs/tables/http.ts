import { LOGIN, openApi } from '../../../src/app/api/openapi.js';
import { codesOf, failureStatuses, titleOf } from '../../../src/http/errors.js';

interface Operation {
  tags: [string];
  summary: string;
  /** The last paragraph describes access to the route. */
  description: string;
  responses: Record<string, { description?: string }>;
}

interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}

/** Routes in the customer's specification. */
const SPECIFIED = new Set([
  'GET /',
  'POST /',
  'GET /brokerSettings',
  'GET /cameraSettings',
  'GET /runCamera',
  'POST /updateJson',
  'GET /beacon',
  'GET /beacons',
  'POST /beacon',
  'DELETE /beacon',
  'POST /login',
  'POST /payments',
  'GET /payments/{transactionId}/status',
  'GET /payments/transaction/{orderId}',
  'GET /payments/{orderId}/transaction',
  'PATCH /payments/updateStatus/{status}/{orderId}',
  'PATCH /payments/updateStatus/{status}',
  'PATCH /payments/updateStatus//{orderId}',
  'PATCH /payments/updateStatus',
  'POST /payments/order',
  'DELETE /payments/cart/{user_id}',
  'GET /orders/stats',
]);

/** Error statuses that any route can return; they are explained above the table. */
const COMMON = new Set(['401', '403', '421', '500', '503']);

export function routesTables(): string {
  const { tags, paths } = openApi() as Document;
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const specified = routes.filter(({ name }) => SPECIFIED.has(name));
  if (specified.length !== SPECIFIED.size) throw new Error('a route of the specification is not documented');
  return tags
    .map((tag) => {
      const rows = routes.filter(({ operation }) => operation.tags[0] === tag.name).map(row);
      const head = '| Route | | Purpose | Access | Responses |\n| --- | --- | --- | --- | --- |';
      return `### ${tag.name}\n\n${tag.description}\n\n${head}\n${rows.join('\n')}\n`;
    })
    .join('\n');
}

function row({ name, operation }: { name: string; operation: Operation }): string {
  const access = operation.description.split('\n\n').at(-1) ?? '';
  const mark = SPECIFIED.has(name) ? '●' : '';
  return `| \`${name}\` | ${mark} | ${cell(operation.summary)} | ${cell(access)} | ${statusesOf(operation)} |`;
}

function statusesOf({ responses }: Operation): string {
  const known = Object.entries(responses).filter(
    ([status, { description = '' }]) =>
      !COMMON.has(status) && !(status === '303' && description === LOGIN.description),
  );
  const statuses = known.map(([status]) => status);
  const failures = statuses.filter((status) => Number(status) >= 400);
  const successes = statuses.filter((status) => Number(status) < 400);
  return [successes.join(', '), failures.length > 0 ? `_${failures.join(' ')}_` : '']
    .filter(Boolean)
    .join(', ');
}

export function errorsTable(): string {
  const rows = failureStatuses().map(
    (status) =>
      `| ${status} | ${titleOf(status)} | ${codesOf(status)
        .map((code) => `\`${code}\``)
        .join(', ')} |`,
  );
  return `| Status | Title | Codes |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
