import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { withTestApp } from '../test-app.js';

const test = suite('games for sale');

test(
  'hasGames is true on a new gateway, false after the last game is removed, and true after a game is added',
  withTestApp(async ({ shop, call }) => {
    const games = shop.catalogue.games();
    assert.equal(games.length, 5);
    for (const [n, { id }] of games.entries()) {
      assert.equal(shop.catalogue.hasGames, true);
      const answer =
        n === 0
          ? await call('PATCH', `/games/${id}`, { body: { active: false } })
          : await call('DELETE', `/games/${id}`);
      assert.equal(answer.status, 200);
    }
    assert.equal(shop.catalogue.hasGames, false);
    await call('POST', '/games', { body: { title: 'Crane', price: 3.5 } });
    assert.equal(shop.catalogue.hasGames, true);
  }),
);

test.run();
