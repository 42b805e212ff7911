import { judgeAll } from './judged.js';

/** Loaded into a gateway under test: what it answers and the document does not say becomes a line of its log. */
judgeAll((fault) => process.stdout.write(`${JSON.stringify({ event: 'test.undocumented', fault })}\n`));
