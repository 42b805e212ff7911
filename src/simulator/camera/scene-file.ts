import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { SceneState } from './scene.js';

const PERIOD_MS = 25;

/** Writes the scene to a file when it changes, up to 40 times a second. The file should be on a tmpfs. */
export function publishScene(path: string, scene: () => SceneState, clock: Clock): Cancel {
  let written = '';
  let isWriting = false;
  const write = async (): Promise<void> => {
    if (isWriting) return;
    const text = JSON.stringify(scene());
    if (text === written) return;
    isWriting = true;
    try {
      // A reader sees either the whole old scene or the whole new scene.
      await writeFile(`${path}.new`, text, { mode: 0o600 });
      await rename(`${path}.new`, path);
      written = text;
    } catch {
      // A failed write is not fatal: the scene is written again in the next period.
      written = '';
    } finally {
      isWriting = false;
    }
  };
  void write();
  return clock.every(PERIOD_MS, () => void write());
}

/** Reads the file that `publishScene` writes. */
export class SceneReader {
  readonly #path: string;
  #text = '';
  #scene: SceneState | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the same object as before if the scene has not changed; undefined if no scene exists. */
  async read(): Promise<SceneState | undefined> {
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    if (text !== this.#text) {
      this.#scene = text === '' ? undefined : (JSON.parse(text) as SceneState);
      this.#text = text;
    }
    return this.#scene;
  }
}
