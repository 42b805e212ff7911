import type { Cancel, Clock } from '../../../shared/ports/ports.js';
import type { RetryPolicy } from './requests.js';

/** Tries that go on until one of them succeeds. */
export interface Insistence<Result> {
  /** Rejects with what `giveUp` was called with. */
  result: Promise<Result>;
  giveUp: (error: Error) => void;
}

/**
 * Tries now and again, in a rhythm that waits for no answer, until one try has succeeded. The first is made before this
 * returns; when all have been made and `graceMs` has passed, it gives up with `tooLate()`.
 */
export function insist<Result>(
  clock: Clock,
  { everyMs, tries, graceMs }: RetryPolicy,
  attempt: (nth: number) => Promise<Result>,
  tooLate: () => Error,
): Insistence<Result> {
  let cancel: Cancel = () => undefined;
  let settle: { resolve: (result: Result) => void; reject: (error: Error) => void } | undefined;
  const result = new Promise<Result>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const giveUp = (error: Error): void => {
    cancel();
    settle?.reject(error);
  };
  const next = (nth: number): void => {
    const last = nth === tries;
    cancel = clock.after(last ? graceMs : everyMs, () => (last ? giveUp(tooLate()) : next(nth + 1)));
    attempt(nth).then(
      (value) => {
        cancel();
        settle?.resolve(value);
      },
      // The next try may do better.
      () => undefined,
    );
  };
  next(1);
  return { result, giveUp };
}
