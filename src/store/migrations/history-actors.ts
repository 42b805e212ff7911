import type { Migration } from './migration.js';

/** `actor` is the person or the condition that caused an entry. Earlier versions stored only the English name. */
export const historyActors: Migration = {
  name: 'actors in the history',
  up(db) {
    db.exec(`
      ALTER TABLE history_entries ADD COLUMN actor TEXT NOT NULL
        DEFAULT '{"kind":"input","id":"","name":""}' CHECK (json_valid(actor));
      UPDATE history_entries SET actor = json_object('kind', 'input',
          'id', CASE json_type(view, '$.by') WHEN 'object' THEN coalesce(view ->> '$.by.code', '') ELSE '' END,
          'name', json(view -> '$.by'))
        FROM safety_events AS event
        WHERE history_entries.source = 'safety' AND history_entries.person = '' AND event.id = history_entries.source_id
          AND json_type(view, '$.by') IN ('object', 'text');
    `);
    const people = db.prepare<{ person: string }>(
      "SELECT DISTINCT person FROM history_entries WHERE person <> ''",
    );
    const update = db.prepare('UPDATE history_entries SET actor = @actor WHERE person = @person');
    for (const { person } of people.all()) update.run({ person, actor: JSON.stringify(actorOf(person)) });
  },
};

interface StoredActor {
  kind: string;
  id: string;
  name: string | object;
  via?: string;
}

/** Reads the names of version 0.2: `anna`, `the operator`, `key tablet`, `gateway gw-2` or `anna (gateway gw-2)`. */
function actorOf(person: string): StoredActor {
  const [, name, via] = /^(.+) \(gateway ([^()]+)\)$/.exec(person) ?? [];
  if (name !== undefined && via !== undefined) return { ...actorOf(name), via };
  if (person === 'the operator') return actor('user', '', message('shared.operator', {}, person));
  const [, kind, id = ''] = /^(key|gateway) (.+)$/.exec(person) ?? [];
  if (kind === 'key') return actor(kind, id, message('shared.key', { name: id }, person));
  if (kind === 'gateway') return actor(kind, id, message('shared.gateway', { id }, person));
  return actor('user', person, person);
}

function actor(kind: string, id: string, name: string | object): StoredActor {
  return { kind, id, name };
}

function message(code: string, params: object, text: string): object {
  return { code, params, text };
}
