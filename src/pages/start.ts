import { revealScripted } from './dom.js';
import { drawFrame } from './frame-view.js';
import { Picture } from './picture.js';
import { armResets } from './reset.js';
import { armStops } from './stop.js';
import { armTrial, drawTrial } from './trial.js';

/** Makes the frame of a page live: first the stops, which need nothing else to work. */
export function startFrame(): Picture {
  armStops();
  armResets();
  armTrial();
  revealScripted();
  const picture = new Picture(Number(document.body.dataset.cartId));
  picture.onDraw(drawFrame);
  picture.onDraw(drawTrial);
  picture.start();
  return picture;
}
