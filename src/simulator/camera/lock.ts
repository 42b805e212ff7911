import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Takes the simulated camera, which one process has at a time, as the real one. Answers false when another one has it;
 * one that is dead has it no
 * more, also when its number is another process's by now.
 */
export function takeCamera(path: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      process.on('exit', () => rmSync(path, { force: true }));
      return true;
    } catch {
      if (isHeld(path)) return false;
      rmSync(path, { force: true });
    }
  }
  return false;
}

function isHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('simulate-camera');
  } catch {
    return false;
  }
}
