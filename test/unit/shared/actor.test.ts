import assert from 'node:assert/strict';
import { test } from 'uvu';
import { safetyMessage } from '../../../src/carts/safety/messages.js';
import {
  type Actor,
  actorName,
  actorOf,
  conditionActor,
  gatewayActor,
  isActor,
  isPerson,
  isSameActor,
  keyActor,
  LAN_ACTOR,
  UNKNOWN_ACTOR,
  userActor,
} from '../../../src/shared/actor.js';
import { messageJson, parseMessageJson, type Text } from '../../../src/shared/messages/message.js';
import { principalText } from '../../../src/shared/messages/messages.js';

const READ: readonly [by: Text, actor: Actor][] = [
  ['anna', userActor('anna')],
  ['Anna de Vries', userActor('Anna de Vries')],
  ['the operator', LAN_ACTOR],
  ['key tablet', keyActor('tablet')],
  ['gateway gw-2', gatewayActor('gw-2')],
  ['anna (gateway gw-2)', { ...userActor('anna'), via: 'gw-2' }],
  ['key tablet (gateway gw-2)', { ...keyActor('tablet'), via: 'gw-2' }],
  [principalText('key tablet'), keyActor('tablet')],
  [safetyMessage('button'), conditionActor('input', safetyMessage('button'))],
  ['', UNKNOWN_ACTOR],
];

for (const [by, actor] of READ) {
  test(`reads "${by}" (${typeof by}) from an earlier record, and writes the same name`, () => {
    assert.deepEqual(actorOf(by), actor);
    assert.equal(actorName(actorOf(by)), String(by));
  });
}

const DIFFERENT: readonly [Actor, Actor][] = [
  [userActor('key tablet'), keyActor('tablet')],
  [userActor('gateway gw-2'), gatewayActor('gw-2')],
  [userActor('the operator'), LAN_ACTOR],
  [userActor('anna (gateway gw-2)'), { ...userActor('anna'), via: 'gw-2' }],
  [userActor('anna'), { ...userActor('anna'), via: 'gw-2' }],
  [userActor('safety.button'), conditionActor('input', safetyMessage('button'))],
];

for (const [a, b] of DIFFERENT) {
  test(`a ${a.kind} with the name "${actorName(a)}" is not the ${b.kind} ${actorName(b)}`, () => {
    assert.equal(isSameActor(a, b), false);
    assert.equal(isSameActor(a, { ...a, name: 'another name' }), true);
  });
}

test('users, API keys and gateways count as people, but conditions and unknown causes do not', () => {
  const actors = [
    userActor('a'),
    keyActor('k'),
    gatewayActor('g'),
    conditionActor('schedule', 's'),
    UNKNOWN_ACTOR,
  ];
  assert.deepEqual(actors.map(isPerson), [true, true, true, false, false]);
});

for (const [name, value] of [
  ['an unknown kind', { kind: 'robot', id: 'a', name: 'a' }],
  ['no ID', { kind: 'user', name: 'a' }],
  ['a name that is a number', { kind: 'user', id: 'a', name: 1 }],
  ['a gateway that is a number', { kind: 'user', id: 'a', name: 'a', via: 2 }],
  ['no members', null],
] as const) {
  test(`rejects a stored actor with ${name}`, () => assert.equal(isActor(value), false));
}

test('accepts every actor that was stored as JSON', () => {
  for (const [, actor] of READ) {
    const stored = parseMessageJson(messageJson(actor));
    assert.ok(isActor(stored));
    assert.deepEqual(stored, actor);
  }
});

test.run();
