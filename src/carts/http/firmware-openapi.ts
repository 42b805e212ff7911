import * as t from '../../http/openapi/schema-helpers.js';
import { BOARDS } from '../../shared/ports/serial.js';
import { type Condition, NEEDS } from '../firmware/conditions.js';
import type { FirmwareView } from '../firmware/firmware-update.js';
import type { FirmwareFacts } from '../firmware/release.js';
import { CHECKS, type SelfCheck } from '../firmware/self-test.js';
import { PHASES } from '../firmware/update-machine.js';

const board = t.oneOf(BOARDS);
const view = t.record<FirmwareView>({
  phase: t.oneOf(PHASES),
  percent: { ...t.between(0, 100), description: 'Progress of writing and verifying, in percent' },
  ...t.each({ ...t.text, description: 'Empty unless the update has failed' }, 'reason', 'hint'),
  checks: {
    ...t.listOf(t.record<SelfCheck>({ name: t.oneOf(CHECKS), passed: t.flag })),
    description: 'Results of the self-test',
  },
  installed: {
    ...t.orNull(t.text),
    description: 'Version reported by the controller; `null` while it is not connected',
  },
  link: { ...t.text, description: 'State of the serial connection' },
  shipped: {
    ...t.orNull(
      t.record<FirmwareFacts>({
        ...t.each(t.text, 'version', 'revision'),
        isConfigured: {
          ...t.flag,
          description: 'True if the firmware was built with a custom configuration',
        },
        isSigned: { ...t.flag, description: 'False for a build that is not part of a signed release' },
      }),
    ),
    description: 'Firmware in this release; `null` if the release contains none',
  },
  board: { ...t.orNull(board), description: 'The board selected last' },
  conditions: t.listOf(
    t.record<Condition>({
      need: t.oneOf(NEEDS),
      isMet: t.flag,
      text: t.text,
      hint: { ...t.text, description: 'What to do if the condition is not met' },
    }),
  ),
  blocksMotion: {
    ...t.flag,
    description: 'True while a running or interrupted update blocks motion',
  },
});

const chapter = { name: 'System', schemas: { Firmware: view } };
export const firmwareApi = t.api(chapter, {
  'GET /controller/firmware': t.user("Returns the state of the controller's firmware and its update", {
    ok: t.jsonOrPage(t.ref('Firmware')),
  }),
  'POST /controller/firmware': t.admin("Updates the motor controller's firmware", {
    description:
      'Writes the firmware of this release with avrdude, verifies it, reconnects and runs a self-test without motion. Motion is rejected with `FIRMWARE_UPDATE` until the self-test has passed, even after a restart. All conditions must be met. An interrupted update can be repeated.',
    body: t.formBody(
      t.open(['board', 'wheelsUp'], {
        board: { ...board, description: '`nano-old` is a Nano with the old boot loader (57600 baud)' },
        wheelsUp: { ...t.flag, description: 'Must be true: confirms that the wheels are off the ground' },
      }),
      { board: 'uno', wheelsUp: true },
      4,
    ),
    answers: { 202: { description: 'The update has started', ...t.jsonOf('Firmware') } },
    redirect: t.BACK,
    fails: [409],
  }),
});
