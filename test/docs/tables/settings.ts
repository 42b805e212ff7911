import { applyOf, type SchemaNode, SECTIONS, settingsSchema } from '../../../src/settings/schema/schema.js';

interface Node extends SchemaNode {
  readonly description?: string;
  readonly steps?: readonly { readonly text: string }[];
  readonly unit?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly valueTitles?: Readonly<Record<string, string>>;
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

interface Leaf {
  /** Path of a setting, such as `mqtt.tls.ca`. */
  name: string;
  node: Node;
}

const APPLY_LABELS = {
  live: 'take effect immediately',
  idle: 'can be saved only while no cart of this gateway is moving',
  restart: 'take effect after a restart',
} as const;

function settingsLeaves(): Leaf[] {
  return SECTIONS.flatMap((section) => leavesOf(section, settingsSchema.properties[section]));
}

function leavesOf(name: string, node: Node): Leaf[] {
  if (!node.properties) return [{ name, node }];
  return Object.entries(node.properties).flatMap(([key, part]) => leavesOf(`${name}.${key}`, part));
}

export function settingsTables(): string {
  const all = settingsLeaves();
  return SECTIONS.map((section) => {
    const node: Node = settingsSchema.properties[section];
    const rows = all.filter(({ name }) => name === section || name.startsWith(`${section}.`)).map(row);
    const head = '| Setting | Default | Range | What it does |\n| --- | --- | --- | --- |';
    return `### ${node.title} (\`${section}\`)\n\nChanges in this section ${APPLY_LABELS[applyOf(section)]}.\n\n${head}\n${rows.join('\n')}\n`;
  }).join('\n');
}

function row({ name, node }: Leaf): string {
  const { title = '', description: start = '', steps = [] } = node;
  const description = [start, ...steps.map(({ text }, at) => `${at + 1}. ${text}`)].join(' ');
  const isExempt = node.apply === 'restart' && name.includes('.');
  const text =
    `**${title}.** ${description} ${isExempt ? 'A change takes effect after a restart.' : ''}`.trim();
  return `| \`${name}\` | \`${JSON.stringify(node.default)}\` | ${rangeOf(node)} | ${cell(text)} |`;
}

function rangeOf(node: Node): string {
  const unit = node.unit ? ` ${node.unit}` : '';
  if (node.enum) return cell(`${node.enum.map((value) => choice(value, node)).join(', ')}${unit}`);
  if (node.const !== undefined) return `\`${node.const}\``;
  if (node.minimum !== undefined) return `${node.minimum} to ${node.maximum}${unit}${nullable(node)}`;
  if (node.type === 'boolean') return '`true`, `false`';
  if (node.type === 'array') return `list of at most ${node.maxItems} entries`;
  if (node.type === 'object') return `table of at most ${node.maxProperties} entries`;
  return node.maxLength === undefined ? 'text' : `text of at most ${node.maxLength} characters`;
}

/** Returns an enumeration value, followed by its title if it has one. */
function choice(value: unknown, { valueTitles = {} }: Node): string {
  const title = valueTitles[String(value)];
  return title === undefined ? `\`${value}\`` : `\`${value}\` (${title})`;
}

function nullable({ type }: Node): string {
  return Array.isArray(type) && type.includes('null') ? ', or `null`' : '';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
