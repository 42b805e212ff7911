import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { CartView, CommandView } from '../../src/carts/command/model.js';
import { openBrowser } from './browser.js';
import { openTestConsole, seed, type TestConsole } from './console-pages.js';
import { withPage } from './page-session.js';
import { repeatOnce } from './repeat-once.js';
import { untilAnswer } from './until.js';

const FINAL = ['FINISHED', 'FAILED', 'CANCELLED', 'EXPIRED', 'REJECTED'];
const LONG = { distanceID: 8000, angleID: 0, maxSpeed: 20 };

export type Operator = 'anna' | 'bert';

/** A gateway with two operators: Anna is logged in through the browser, and Bert uses an API key. */
export class TwoOperators {
  readonly #testConsole: TestConsole;
  readonly #browser: Browser;
  readonly #headers: Record<Operator, object>;

  private constructor(testConsole: TestConsole, browser: Browser) {
    this.#testConsole = testConsole;
    this.#browser = browser;
    const cookie = testConsole.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    this.#headers = { anna: { cookie, origin: testConsole.url }, bert: {} };
  }

  static async open(): Promise<TwoOperators> {
    const [testConsole, browser] = await Promise.all([openTestConsole(), openBrowser()]);
    await seed(testConsole, browser);
    const operators = new TwoOperators(testConsole, browser);
    const apiKey = { name: 'bert', scopes: ['cart:control'] };
    const { key } = await operators.call<{ key: string }>('anna', 'POST', '/keys', apiKey);
    operators.#headers.bert = { 'x-api-key': key };
    return operators;
  }

  get url(): string {
    return this.#testConsole.url;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#testConsole.gateway.close();
  }

  async call<T>(by: Operator, method: string, path: string, body?: object): Promise<T> {
    const answer = await this.#send(by, method, path, body);
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }

  /** Resolves when the command is in one of these states or has ended. */
  untilCommand(id: string, states: readonly string[] = []): Promise<CommandView> {
    const expected = [...states, ...FINAL];
    return this.#until<CommandView>(`/commands/${id}`, ({ state }) => expected.includes(state));
  }

  untilMayMove(cartID: number): Promise<CartView> {
    return this.#until<CartView>(`/carts/${cartID}`, ({ safety, online }) => online && safety.mayMove);
  }

  /** Starts a long command, and starts it once more after LOOP_LAG. */
  async start(cartID: number, by: Operator): Promise<string> {
    const attempt = async (): Promise<Partial<CommandView>> => {
      await this.untilMayMove(cartID);
      const command = { cartID, ...LONG };
      const answer = await this.#send(by, 'POST', '/?wait=accept', command);
      assert.ok(answer.ok, await answer.clone().text());
      const { commandId } = (await answer.json()) as CommandView;
      return this.untilCommand(commandId, ['RUNNING']);
    };
    const { commandId, state } = await repeatOnce(attempt, ({ reason }) => reason?.code);
    assert.equal(state, 'RUNNING');
    assert.ok(commandId);
    return commandId;
  }

  /**
   * Moves cart 2 as Anna and cart 1 as Bert, and asserts that `act` on Anna's page stops only cart 2. Repeats
   * this once after LOOP_LAG.
   */
  async stopsOnlyAnna(act: (page: Page) => Promise<unknown>, path: string, scripts = true): Promise<void> {
    const attempt = async (): Promise<CommandView> => {
      const [anna, bert] = await Promise.all([this.start(2, 'anna'), this.start(1, 'bert')]);
      let command: CommandView | undefined;
      const run = async (page: Page): Promise<void> => {
        const fault: unknown = await act(page).then(
          () => undefined,
          (error) => error,
        );
        command = await this.untilCommand(anna, fault ? ['RUNNING'] : []);
        if (fault && command.reason?.code !== 'LOOP_LAG') throw fault;
      };
      await this.open(path, run, scripts);
      assert.notEqual((await this.untilCommand(bert, ['RUNNING'])).state, 'CANCELLED');
      assert.ok(command);
      return command;
    };
    const { state } = await repeatOnce(attempt, ({ reason }) => reason?.code);
    assert.equal(state, 'CANCELLED');
  }

  open(path: string, run: (page: Page) => Promise<void>, javaScriptEnabled = true): Promise<void> {
    const openPage = async (page: Page): Promise<void> => {
      await page.context().addCookies(this.#testConsole.cookies);
      await page.goto(`${this.url}${path}`);
      await run(page);
    };
    return withPage(this.#browser, 'about:blank', ({ page }) => openPage(page), { javaScriptEnabled });
  }

  #send(by: Operator, method: string, path: string, body?: object): Promise<Response> {
    const json = { accept: 'application/json', 'content-type': 'application/json' };
    return fetch(`${this.url}${path}`, {
      method,
      headers: { ...json, ...this.#headers[by] },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }

  async #until<T>(path: string, isWanted: (body: T) => boolean): Promise<T> {
    const request = async () => ({ path, body: await this.call<T>('bert', 'GET', path) });
    return (await untilAnswer(request, ({ body }) => isWanted(body))).body;
  }
}
