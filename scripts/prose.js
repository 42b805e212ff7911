import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/**
 * Checks comments, strings, documents and test titles for words that are not plain technical English. `node
 * scripts/prose.js [PATH…]` checks the repository, or only the files below PATH. Run by `npm run lint`.
 */
const ROOT = dirname(import.meta.dirname);

/** Words to avoid, with their replacements. */
const WORDS = [
  [/\b(?:who|whom|what|which)ever\b/i, 'name the subject'],
  [/\banew\b/i, '"again"'],
  [/\b(?:told|tells?|telling)\b/i, '"report", "send", "notify" or "show"'],
  [/\b(?:said|says?|saying)\b/i, '"report", "state", "show" or "send"'],
  [/\b(?:hears?|heard|hearing)\b/i, '"receive"'],
  [/\b(?:no|some|every)body\b/i, 'name the subject: the operator, the client, no user'],
  [/\b(?:he|him|his)\b/i, 'name the subject, or "they"'],
  [/(?<!there )\b(?:is|are) (?:none|nobody's)\b/i, '"is not" or "is invalid"'],
  [/\b(?:stands?|stood) (?!for\b)/i, '"is", "is listed" or "is stationary"'],
  [/\bwish(?:es|ed)?\b/i, '"command" or "request"'],
  [
    /\b(?:who|what) (?:may|can|could|must|has|had|is|was|does|did|comes?|goes|asks?|waits?|wants?)\b[^.?]*[^.?\s]$/i,
    'name the subject',
  ],
];

/** Exceptions: phrases that are permitted in a file. An unused entry is reported as an error. */
const ALLOWED = [{ path: 'src/access/users/common-passwords.ts', phrase: 'whatever whatwhat' }];

const CODE = new Set(['.ts', '.js', '.c', '.ino', '.h', '.css']);
const HASH = new Set([
  '.sh',
  '.yml',
  '.yaml',
  '.service',
  '.conf',
  '.rules',
  '.timer',
  '.socket',
  '.path',
  '',
]);

/**
 * Returns a file's prose as an array of `{ line, text }`: comments, strings of at least three words,
 * paragraphs and test titles.
 */
export function proseOf(path, content) {
  const kind = extname(path);
  if (kind === '.md') return markdown(content);
  if (kind === '.html')
    return lines(content.replace(/<!--|-->/g, '').replace(/<[^>]*>/g, (tag) => tag.replace(/[^\n]/g, ' ')));
  if (CODE.has(kind))
    return code(content, { texts: !/^(?:test|bench)\//.test(path), titles: /\.test\.ts$/.test(path) });
  if (HASH.has(kind)) return lines(content.replace(/^(?!\s*#).*$/gm, ''));
  return [];
}

export function findings(path, content, allowed = ALLOWED) {
  return proseOf(path, content).flatMap(({ line, text }) => {
    const accepted = allowed.filter((entry) => entry.path === path && text.includes(entry.phrase));
    for (const entry of accepted) entry.used = true;
    if (accepted.length > 0) return [];
    return WORDS.filter(([word]) => word.test(text)).map(([, advice]) => ({
      line,
      text: text.trim(),
      advice,
    }));
  });
}

function lines(content) {
  return content.split('\n').map((text, index) => ({ line: index + 1, text }));
}

function markdown(content) {
  let fenced = false;
  return lines(content).map(({ line, text }) => {
    if (/^\s*```/.test(text)) fenced = !fenced;
    return { line, text: fenced ? '' : text.replace(/`[^`]*`/g, '`x`') };
  });
}

/** Returns the comments and the strings or titles of a file with C-like syntax. */
function code(content, { texts, titles }) {
  const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\[\s\S]|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
  const found = [];
  for (const { 0: match, index } of content.matchAll(token)) {
    const line = content.slice(0, index).split('\n').length;
    const comment = match.startsWith('/');
    const title = titles && /\b(?:test|suite)\(\s*$/.test(content.slice(Math.max(0, index - 40), index));
    if (!comment && !title && !(texts && /\w+ \S+ \w+/.test(match))) continue;
    const prose = comment ? match.replace(/`[^`\n]*`/g, '`x`') : match.replace(/\$\{[^}]*\}/g, 'x');
    for (const part of lines(prose)) found.push({ line: line + part.line - 1, text: part.text });
  }
  return found;
}

if (process.argv[1] === import.meta.filename) {
  const below = process.argv.slice(2);
  const areas =
    below.length > 0
      ? below
      : ['src', 'views', 'docs', 'test', 'bench', 'systemd', '.ci', 'config', '*.md', '*.js'];
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--', ...areas], { cwd: ROOT, encoding: 'utf8' });
  const paths = stdout
    .split('\0')
    .filter((path) => path !== '' && !path.startsWith('test/fixtures/') && path !== 'scripts/prose.js');
  let count = 0;
  for (const path of paths) {
    for (const { line, text, advice } of findings(path, readFileSync(join(ROOT, path), 'utf8'))) {
      process.stdout.write(`${path}:${line}: ${text}\n  ${advice}\n`);
      count++;
    }
  }
  for (const entry of below.length > 0 ? [] : ALLOWED.filter(({ used }) => !used)) {
    process.stdout.write(`${entry.path}: "${entry.phrase}" is allowed but not used\n`);
    count++;
  }
  process.exitCode = count > 0 ? 1 : 0;
}
