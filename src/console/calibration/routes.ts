import { inLanguageOf } from '../../http/language.js';
import { queryNumber } from '../../http/server/bodies.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { MAX_FIRST_ID } from '../../navigation/calibration/board.js';
import { boardSheet } from '../../navigation/calibration/board-sheet.js';
import type { Calibration } from '../../navigation/calibration/service.js';
import { calibrationApi } from '../../navigation/http/calibration-openapi.js';
import { boardTexts } from './context.js';

/** The board to print. */
export function boardRoutes({ calibration }: { calibration: Calibration }): DeclaredRouter {
  const router = routerOf(calibrationApi);
  router.on('GET /navigation/calibration/board.svg', (req, res) => {
    const firstId = calibration.boardFirstId(queryNumber(req, 'firstId', [0, MAX_FIRST_ID]));
    res.type('svg').send(inLanguageOf(req, () => boardSheet(firstId, boardTexts(firstId))));
  });
  return router;
}
