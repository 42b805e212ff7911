import * as t from '../../http/openapi/schema-helpers.js';
import { APPROACH_FAILURES, APPROACH_PHASES, type Residual } from '../approach/model.js';
import { approachSchema } from '../approach/schema.js';
import type { ApproachView, SightingsView } from '../approach/view.js';
import type { Sighting } from '../markers/model.js';
import { markerIdSchema } from '../markers/schema.js';

const approach = t.record<ApproachView>(
  {
    runId: t.uuid,
    phase: t.oneOf(APPROACH_PHASES),
    markerId: markerIdSchema,
    ...t.each(t.mm, 'standoffMm', 'lateralMm'),
    headingDeg: t.deg,
    by: { ...t.text, description: 'User or API key that started the drive' },
    startedAt: t.moment,
    commands: { ...t.whole, description: 'Number of commands sent' },
  },
  {
    code: { ...t.oneOf(APPROACH_FAILURES), description: 'Present if the drive has failed' },
    reason: { ...t.text, description: 'Present if the drive has failed' },
    residual: {
      ...t.record<Residual>({ ...t.each(t.mm, 'alongMm', 'lateralMm'), headingDeg: t.deg }),
      description: 'Measured deviation from the goal; present if the drive has finished',
    },
  },
);

const sighting = t.record<Sighting>({
  id: markerIdSchema,
  rangeMm: { ...t.mm, description: 'From the optical centre to the centre of the marker' },
  bearingDeg: { ...t.deg, description: 'From the optical axis; positive to the left' },
  yawDeg: { ...t.orNull(t.deg), description: "Direction of the marker's normal; `null` if it is ambiguous" },
  reprojectionErrorPx: { ...t.number, unit: 'px' },
  corners: t.listOf(t.record<Sighting['corners'][number]>(t.each(t.number, 'x', 'y'))),
  imageAgeMs: t.ms,
});

const sightings = t.record<SightingsView>({
  ageMs: { ...t.orNull(t.ms), description: 'Age of the image; `null` before the first image' },
  ...t.each({ ...t.whole, unit: 'px' }, 'width', 'height'),
  sightings: t.listOf(sighting),
  fault: { ...t.text, description: 'Reason that the last image has no result; empty if it has one' },
  approach: t.orNull(t.ref('Approach')),
});

const CONTROL = { scopes: ['cart:control'] };
const move = t.access({ need: 'operator', ...CONTROL });
const read = t.access({ need: 'session', scopes: ['cart:read', 'cart:control'] });

const chapter = {
  name: 'Navigation',
  description: 'Visible markers and driving to a marker.',
  schemas: { Approach: approach, Sightings: sightings },
};
export const approachApi = t.api(chapter, {
  'GET /navigation/sightings': move('Returns the registered markers in the newest camera image', {
    description:
      'Keeps the camera and the marker detector running for 3 s. The first responses may contain no image.',
    ok: t.jsonOf('Sightings'),
  }),
  'GET /navigation/approach': read('Returns the current or last drive to a marker', {
    description: 'Returns `null` if the cart has not driven to a marker since the gateway started.',
    ok: t.json(t.exact({ approach: t.orNull(t.ref('Approach')) })),
  }),
  'POST /navigation/approach': move('Drives the cart to a marker', {
    description:
      'The gateway searches the camera image for the marker, and the cart moves a limited distance; both steps are repeated until the cart is within 4 mm (forward), 6 mm (sideways) and 0.6 degrees of the goal. Each move is an ordinary command. Any stop, any other command, or an image older than 300 ms ends the motion; a drive never resumes. If the cart is closer to the marker than `standoffMm`, it reverses.',
    query: {
      wait: {
        ...t.oneOf(['accept', 'done']),
        default: 'accept',
        description: '`done` waits for the end of the drive',
      },
    },
    body: t.jsonBody(approachSchema, { markerId: 12, standoffMm: 500 }, 4),
    ok: t.jsonOf('Approach'),
    fails: [404, 409],
  }),
});
