import { inLanguageOf } from '../../http/language.js';
import { queryNumber } from '../../http/server/bodies.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { boardSheet, type Calibration, calibrationApi, MAX_FIRST_ID } from '../../navigation/index.js';
import { boardTexts } from './context.js';

/** Serves the calibration board for printing. */
export function boardRoutes({ calibration }: { calibration: Calibration }): DeclaredRouter {
  const router = routerOf(calibrationApi);
  router.on('GET /navigation/calibration/board.svg', (req, res) => {
    const firstId = calibration.boardFirstId(queryNumber(req, 'firstId', [0, MAX_FIRST_ID]));
    res.type('svg').send(inLanguageOf(req, () => boardSheet(firstId, boardTexts(firstId))));
  });
  return router;
}
