/** What may stand at a place in a JSON text; also the words for people. */
type Want =
  | 'a value'
  | 'a value or ]'
  | 'a name in double quotes'
  | 'a name in double quotes or }'
  | ':'
  | ', or ]'
  | ', or }'
  | 'the end';

/** White space, then a mark, a string, or a number or word. */
const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("[ !#-[\]-\uFFFF]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uFFFF]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/**
 * Where a text that is not JSON stops being JSON, for the person who wrote it by hand: `line 3, column 7: expected
 * , or }`. `JSON.parse` tells a position for some faults only, and quotes the text around it.
 */
export function locateJsonFault(text: string): string {
  const open: string[] = [];
  const token = new RegExp(TOKEN);
  let want: Want | undefined = 'a value';
  let expected: Want = want;
  let at = 0;
  while (want) {
    expected = want;
    at = token.lastIndex;
    const found = token.exec(text);
    if (!found) break;
    want = next(want, found[1] ?? (found[2] ? 'string' : 'scalar'), open);
  }
  const before = text.slice(0, at + (/[ \t\r\n]*/y.exec(text.slice(at))?.[0].length ?? 0));
  const lines = before.split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: expected ${expected}`;
}

/** What is wanted after a token, or undefined when it may not stand here. */
function next(want: Want, token: string, open: string[]): Want | undefined {
  if (token === 'string' && want.startsWith('a name')) return ':';
  if (want === ':') return token === ':' ? 'a value' : undefined;
  if (want.startsWith('a value')) {
    if (token === 'string' || token === 'scalar') return after(open);
    if (token === '{' || token === '[') {
      open.push(token);
      return token === '{' ? 'a name in double quotes or }' : 'a value or ]';
    }
  }
  if (want.startsWith(',') && token === ',') {
    return want === ', or }' ? 'a name in double quotes' : 'a value';
  }
  if (!want.endsWith(` ${token}`)) return undefined;
  open.pop();
  return after(open);
}

function after(open: string[]): Want {
  const innermost = open.at(-1);
  if (innermost === undefined) return 'the end';
  return innermost === '{' ? ', or }' : ', or ]';
}
