import { request } from 'node:http';

/** Logs in from the given loopback address, because rate limits apply per address. */
export function logIn(
  url: string,
  username: string,
  password: string,
  from: string,
): Promise<{ status: number; ms: number; cookie: string }> {
  const start = performance.now();
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/login`, { method: 'POST', headers, localAddress: from }, (answer) => {
      answer.resume();
      const [cookie = ''] = answer.headers['set-cookie']?.[0]?.split(';') ?? [];
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, ms: performance.now() - start, cookie }),
      );
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ username, password }));
  });
}
