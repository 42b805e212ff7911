import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { withLanguage } from '../../../src/i18n/language.js';
import {
  addMessages,
  begun,
  continued,
  DUTCH_MESSAGES,
  principalName,
  translated,
} from '../../../src/i18n/messages.js';
import { SERVER_MESSAGES } from '../../../src/i18n/server-messages.js';
import {
  capitalised,
  declaredSentences,
  declareMessages,
  messageJson,
  parseMessageJson,
  type Text,
  textOf,
} from '../../../src/shared/messages/message.js';
import { principalText } from '../../../src/shared/messages/messages.js';
import { momentMessage } from '../../../src/shared/messages/moment.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { faultMessage } from '../../../src/shared/validation/messages.js';

const test = suite('messages');

const SOURCES = join(packageRoot(), 'src');
const sentences: Record<string, string> = {};

test.before(async () => {
  addMessages(SERVER_MESSAGES);
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /(?<!nl)\/messages\.ts$/.test(name))) {
    const compiled = new URL(`../../../src/${file.replace(/\.ts$/, '.js')}`, import.meta.url);
    await import(compiled.href);
  }
  Object.assign(sentences, Object.fromEntries(declaredSentences()));
  // This message is declared only by this test.
  delete sentences['camera.new'];
});

const namesIn = (sentence = ''): string[] => (sentence.match(/\{\w+\}/g) ?? []).toSorted();

test('every message has a Dutch translation, and every Dutch translation belongs to a message', () => {
  assert.ok(Object.keys(sentences).length > 200);
  assert.deepEqual(Object.keys(DUTCH_MESSAGES).toSorted(), Object.keys(sentences).toSorted());
});

test('every Dutch translation has the same parameters as its message', () => {
  for (const [code, sentence] of Object.entries(sentences))
    assert.deepEqual(namesIn(DUTCH_MESSAGES[code]), namesIn(sentence), code);
});

/** Code that reads a sentence back, for example from another gateway, cannot distinguish the messages. */
test('messages with the same English sentence have the same Dutch translation', () => {
  const translations = new Map<string, Set<string>>();
  for (const [code, sentence] of Object.entries(sentences))
    translations.set(sentence, (translations.get(sentence) ?? new Set()).add(DUTCH_MESSAGES[code] ?? ''));
  const different = [...translations].filter(([, dutch]) => dutch.size > 1);
  assert.deepEqual(different, []);
});

const message = declareMessages('camera', {
  'photo-overdue': 'the photo was not complete after {seconds} s',
  crashed: 'the camera program {how}',
  new: 'not translated {this}',
});

const named = declareMessages('drive', {
  'passed-on': '{name} took control',
  silent: "no input received from the driver's controls for {time}",
});

for (const language of ['en', 'nl'] as const) {
  test(`keeps the spelling of a name that begins a sentence (${language})`, () => {
    const dutch = (name: string): string => `${name} heeft de besturing genomen`;
    const sentence = (name: string): string => (language === 'nl' ? dutch(name) : `${name} took control`);
    for (const name of ['bram', 'Bram', 'hal-b-01']) {
      const text = named('passed-on', { name });
      assert.equal(textOf(capitalised(text)), `${name} took control`);
      assert.equal(
        withLanguage(language, () => begun(text)),
        sentence(name),
      );
      assert.equal(
        withLanguage(language, () => continued(text)),
        sentence(name),
      );
    }
  });
}

test('capitalises a word that begins a sentence, even in a nested message', () => {
  assert.equal(
    begun(named('silent', { time: '2 s' })),
    "No input received from the driver's controls for 2 s",
  );
  assert.equal(begun(named('passed-on', { name: principalText('key robot') })), 'Key robot took control');
});

test('translates the unit of a limit if the unit is a word', () => {
  const dutch = (unit: string): string => {
    const fault = faultMessage({
      keyword: 'maximum',
      params: { limit: 90 },
      parentSchema: { unit },
    } as never);
    return withLanguage('nl', () => translated(fault));
  };
  assert.equal(dutch('degrees'), 'mag hoogstens 90 graden zijn');
  assert.equal(dutch('days'), 'mag hoogstens 90 dagen zijn');
  assert.equal(dutch('mm'), 'mag hoogstens 90 mm zijn');
});

test('keeps the spelling of an ID in a Dutch sentence that begins with the ID', () => {
  const saved = { code: 'beacons.saved', params: { id: 'hal-b-01' }, text: 'Saved hal-b-01' };
  assert.equal(
    withLanguage('nl', () => translated(saved)),
    'hal-b-01 opgeslagen',
  );
});

test('serialises a message as English text in JSON and as structured data for pages', () => {
  const sent = message('photo-overdue', { seconds: 1.5 });
  assert.equal(JSON.stringify({ sent }), '{"sent":"the photo was not complete after 1.5 s"}');
  const { sent: read } = parseMessageJson(messageJson({ sent })) as { sent: typeof sent };
  assert.deepEqual(read, sent);
});

test('translates a message by its code, including its values', () => {
  const inDutch = (text: Text): string => withLanguage('nl', () => translated(text));
  const late = message('photo-overdue', { seconds: 1.5 });
  assert.equal(inDutch(late), 'de foto was na 1,5 s niet klaar');
  assert.equal(
    inDutch(message('crashed', { how: late })),
    'het cameraprogramma de foto was na 1,5 s niet klaar',
  );
});

test('leaves untranslated messages and strings without a code in English', () => {
  const untranslated = message('new', { this: 'yet' });
  assert.deepEqual(
    withLanguage('nl', () => [translated(untranslated), translated('E_WEIRD 7')]),
    [textOf(untranslated), 'E_WEIRD 7'],
  );
});

test('translates the display names of API keys and gateways, but not usernames', () => {
  const names = [
    'the operator',
    'key Loader',
    'gateway gw-2',
    'key Loader (gateway gw-2)',
    'gateway office',
    'Anna',
    'keystone',
  ];
  assert.equal(principalName('key Loader (gateway gw-2)'), 'key Loader (gateway of cart 2)');
  assert.equal(textOf(principalText('gateway gw-2')), 'gateway gw-2', 'programs still receive the ID');
  assert.deepEqual(
    withLanguage('nl', () => names.map((name) => principalName(name))),
    [
      'de bediener',
      'sleutel Loader',
      'gateway van Cart 2',
      'sleutel Loader (gateway van Cart 2)',
      'gateway office',
      'Anna',
      'keystone',
    ],
  );
});

test('a time in a message has ISO format in the API and Dutch format on Dutch pages', () => {
  const at = Date.UTC(2038, 0, 19, 3, 14, 7);
  const forms: ['day' | 'minute' | 'second', string, string][] = [
    ['day', '2038-01-19', '19 jan 2038'],
    ['minute', '2038-01-19 03:14 UTC', '19 jan 2038, 03:14 UTC'],
    ['second', '2038-01-19 03:14:07 UTC', '19 jan 2038, 03:14:07 UTC'],
  ];
  for (const [precision, english, dutch] of forms) {
    const message = momentMessage(at, precision);
    assert.equal(textOf(message), english);
    assert.equal(
      withLanguage('nl', () => translated(message)),
      dutch,
    );
  }
});

test.run();
