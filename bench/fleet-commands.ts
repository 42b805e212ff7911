import { Agent, request } from 'node:http';
import { pause } from './process-figures.js';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export interface CommandLoad {
  /**
   * ID of the first cart. Commands are distributed among `carts` carts with consecutive IDs, starting with
   * `first`.
   */
  first: number;
  carts: number;
  perS: number;
  seconds: number;
}

/** Latencies of acknowledged commands (request to response), and the number of rejected commands. */
export interface CommandTimes {
  ms: number[];
  rejected: number;
}

/** Sends moves of 1 m. The gateway responds when the controller has acknowledged the move. */
export async function commandsTo(
  url: string,
  { first, carts, perS, seconds }: CommandLoad,
): Promise<CommandTimes> {
  const answers: Promise<number | undefined>[] = [];
  const startedMs = performance.now();
  while (answers.length < perS * seconds) {
    const due = Math.min(perS * seconds, ((performance.now() - startedMs) / 1000) * perS);
    while (answers.length < due) answers.push(command(`${url}/`, first + ((answers.length * 37) % carts)));
    await pause(5);
  }
  const ms = (await Promise.all(answers)).filter((answer) => answer !== undefined);
  return { ms, rejected: answers.length - ms.length };
}

export const closeConnections = (): void => agent.destroy();

/** Resolves with the latency in ms, or with undefined if the command was rejected. */
function command(url: string, cartID: number): Promise<number | undefined> {
  const startedMs = performance.now();
  const body = JSON.stringify({ cartID, distanceID: 100, angleID: 0 });
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const req = request(url, { method: 'POST', agent, headers }, (res) => {
      res.resume();
      res.on('end', () => resolve(res.statusCode === 200 ? performance.now() - startedMs : undefined));
    });
    req.on('error', reject);
    req.end(body);
  });
}
