import { SITE_PLAN_TOPIC, TOPICS } from '../../../src/app/api/asyncapi-topics.js';

const ACTIONS = { send: 'publishes', receive: 'subscribes' } as const;

export function topicsTable(): string {
  const rows = Object.entries({ ...TOPICS, 'site/plan': SITE_PLAN_TOPIC }).map(
    ([name, { summary, actions, qos, retained }]) => {
      const does = actions.map((action) => ACTIONS[action]).join(', ');
      return `| \`${name}\` | ${does} | ${qos.join(', ')} | ${retained ? 'yes' : 'no'} | ${summary} |`;
    },
  );
  return `| Topic | The gateway | QoS | Retained | Content |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}
