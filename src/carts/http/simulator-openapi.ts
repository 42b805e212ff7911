import { flag, formBody, json, listOf, number, oneOf, orNull, text } from '../../web/openapi/parts.js';
import type { Api } from '../../web/openapi/types.js';

const snapshot = {
  type: 'object',
  required: ['x', 'y', 'heading', 'speed', 'state', 'estop', 'faults'],
  properties: {
    x: { ...number, unit: 'mm' },
    y: { ...number, unit: 'mm' },
    heading: { ...number, unit: 'deg' },
    speed: { ...number, unit: 'mm/s' },
    state: text,
    estop: { type: 'object', required: ['pressed', 'latched'], properties: { pressed: flag, latched: flag } },
    faults: listOf(text),
    verbs: { ...listOf(text), description: 'What can be made to go wrong' },
  },
};

export const simulatorApi: Api = {
  tag: { name: 'Simulator', description: 'There only while the controller is simulated.' },
  routes: {
    'GET /simulator': {
      summary: 'The simulated cart as a bystander sees it',
      answers: { 200: json('The cart', snapshot) },
      failures: [404],
    },
    'POST /simulator': {
      summary: 'Its button, plug and faults',
      body: formBody(
        {
          type: 'object',
          required: ['action'],
          properties: {
            action: { ...text, description: '`button`, `plug`, `reset-here`, or one of `verbs`' },
            on: { anyOf: [flag, oneOf(['true', 'false'])] },
            argument: orNull({ anyOf: [number, text] }),
          },
        },
        { action: 'button', on: true },
      ),
      answers: { 200: json('The cart', snapshot) },
      failures: [403, 404, 409, 503, 504],
    },
  },
};
