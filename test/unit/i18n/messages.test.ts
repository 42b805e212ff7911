import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import { speaking } from '../../../src/i18n/language.js';
import { DUTCH_MESSAGES, told } from '../../../src/i18n/live.js';
import { catalogue, messageJson, parseMessageJson, textOf } from '../../../src/shared/messages/message.js';
import { packageRoot } from '../../../src/shared/package-root.js';

/** Every message that a catalogue declares has its Dutch text, and every Dutch text its message. */
const test = suite('messages');

const SOURCES = join(packageRoot(), 'dist', 'src');
const sentences: Record<string, string> = {};

test.before(async () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /(?<!nl)\/messages\.js$/.test(name))) {
    const module: Record<string, unknown> = await import(pathToFileURL(join(SOURCES, file)).href);
    for (const value of Object.values(module)) {
      if (typeof value === 'function' && 'sentences' in value) Object.assign(sentences, value.sentences);
    }
  }
});

const namesIn = (sentence = ''): string[] => (sentence.match(/\{\w+\}/g) ?? []).toSorted();

test('every message has a Dutch text, and no other has one', () => {
  assert.ok(Object.keys(sentences).length > 200);
  assert.deepEqual(Object.keys(DUTCH_MESSAGES).toSorted(), Object.keys(sentences).toSorted());
});

test('a Dutch text has the values of its message', () => {
  for (const [code, sentence] of Object.entries(sentences))
    assert.deepEqual(namesIn(DUTCH_MESSAGES[code]), namesIn(sentence), code);
});

const message = catalogue('camera', {
  'photo-overdue': 'the photo was not there after {seconds} s',
  crashed: 'the camera program {how}',
  new: 'nobody has translated {this}',
});

test('a message is English in JSON, and has its code and values for a page', () => {
  const said = message('photo-overdue', { seconds: 1.5 });
  assert.equal(JSON.stringify({ said }), '{"said":"the photo was not there after 1.5 s"}');
  const { said: read } = parseMessageJson(messageJson({ said })) as { said: typeof said };
  assert.deepEqual(read, said);
});

test('a message is translated by its code, with the values in it', () => {
  const inDutch = (text: Parameters<typeof told>[0]): string => speaking('nl', () => told(text));
  const late = message('photo-overdue', { seconds: 1.5 });
  assert.equal(inDutch(late), 'na 1,5 s was de foto er niet');
  assert.equal(
    inDutch(message('crashed', { how: late })),
    'het cameraprogramma na 1,5 s was de foto er niet',
  );
});

test('a message without a translation, and a text without a code, stay in English', () => {
  const untranslated = message('new', { this: 'yet' });
  assert.deepEqual(
    speaking('nl', () => [told(untranslated), told('E_WEIRD 7')]),
    [textOf(untranslated), 'E_WEIRD 7'],
  );
});

test.run();
