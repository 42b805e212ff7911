import type { Request, Response } from 'express';
import { failureNotice, failureOnPage, wantsPage } from '../../http/errors.js';
import { callerActor } from '../../http/guard/principal.js';
import { sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { GatewayError } from '../../shared/errors.js';
import { BOARDS, type Board } from '../../shared/ports/serial.js';
import { isJsonObject } from '../../shared/validation/json.js';
import type { FirmwareUpdate } from '../firmware/firmware-update.js';
import { firmwareMessage } from '../firmware/messages.js';
import { firmwareApi } from './firmware-openapi.js';
import { firmwarePage } from './pages.js';

export interface FirmwareRoutesDeps {
  firmware: Pick<FirmwareUpdate, 'view' | 'start'>;
}

const PATH = '/controller/firmware';

export function firmwareRoutes({ firmware }: FirmwareRoutesDeps): DeclaredRouter {
  const router = routerOf(firmwareApi);
  router.on('GET /controller/firmware', (req, res) => {
    if (wantsPage(req)) return sendPage(req, res, firmwarePage, { view: firmware.view() });
    res.json(firmware.view());
  });
  router.on('POST /controller/firmware', (req, res) => {
    try {
      firmware.start(requestedBoard(req.body), callerActor(req));
    } catch (error) {
      return refuse(req, res, error);
    }
    if (wantsPage(req)) res.redirect(303, PATH);
    else res.status(202).json(firmware.view());
  });
  const refuse = (req: Request, res: Response, error: unknown): Promise<void> => {
    if (!wantsPage(req)) throw error;
    const notice = failureNotice(failureOnPage(res, error));
    return sendPage(req, res, firmwarePage, { view: firmware.view(), notice });
  };
  return router;
}

/** Throws INVALID_INPUT unless the body contains a board and the confirmation. */
function requestedBoard(body: unknown): Board {
  const { board: wanted, wheelsUp } = isJsonObject(body) ? body : {};
  const board = BOARDS.find((name) => name === wanted);
  if (!board) {
    const text = firmwareMessage('unknown-board', { boards: BOARDS.join(', ') });
    throw new GatewayError('INVALID_INPUT', text, { field: 'board' });
  }
  if (wheelsUp !== true && wheelsUp !== 'true')
    throw new GatewayError('INVALID_INPUT', firmwareMessage('wheels-up'), { field: 'wheelsUp' });
  return board;
}
