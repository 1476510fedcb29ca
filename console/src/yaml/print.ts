/** Plain data as YAML that kubectl reads back as the same data. Undefined members are omitted. */
export function printYaml(value: unknown): string {
  return `${block(value, '').replace(/^\n/, '')}\n`
}

function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.length === 0 ? ' []' : listBlock(value, indent)
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    return members.length === 0 ? ' {}' : mapBlock(members, indent)
  }
  return ` ${typeof value === 'string' ? text(value, indent) : String(value)}`
}

function mapBlock(members: readonly (readonly [string, unknown])[], indent: string): string {
  return members.map(([name, value]) => `\n${indent}${scalar(name)}:${block(value, deeper(value, indent))}`).join('')
}

/** Lists have the indent of their name, as kubectl prints them. */
function deeper(value: unknown, indent: string): string {
  return Array.isArray(value) ? indent : `${indent}  `
}

function listBlock(items: readonly unknown[], indent: string): string {
  return items.map((item) => `\n${indent}-${itemBlock(item, `${indent}  `)}`).join('')
}

function itemBlock(item: unknown, indent: string): string {
  const printed = block(item, indent)
  return printed.startsWith('\n') ? ` ${printed.slice(1 + indent.length)}` : printed
}

/** A text of several lines keeps them, unless quotes are safer. */
function text(value: string, indent: string): string {
  const isBlock =
    /^[^\s\n][^\n]*\n/.test(value) &&
    !/[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd]|[ \t]\n/.test(value) &&
    !value.endsWith('\n\n')
  if (!isBlock) return scalar(value)
  const lines = value.endsWith('\n') ? value.slice(0, -1) : value
  const head = value.endsWith('\n') ? '|' : '|-'
  const inner = indent === '' ? '  ' : indent
  return `${head}\n${lines.replaceAll(/^(?=.)/gm, inner)}`
}

const plain = /^[A-Za-z_/][\w ./@%+()-]*$/
const taken = /^(y|n|yes|no|on|off|true|false|null|nan|inf|e[-+]?\d+)$/i

function scalar(value: string): string {
  const isPlain = plain.test(value) && !taken.test(value) && !value.endsWith(' ') && value.length < 200
  if (!isPlain && /^[\x20-\x7e]*["\\][\x20-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`
  return isPlain ? value : JSON.stringify(value).replaceAll(/[\x7f-\x9f\u2028\u2029\ufeff]/g, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
