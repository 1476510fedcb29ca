import { memberPresence } from '../../src/api/decode/presence.ts'
import { messageSchema } from '../../src/api/facts/message-schema.ts'
import type { Schema } from '../../src/api/schema.ts'

/** The TypeScript types of a package of messages, as a file. */
export function printPackage(messages: readonly string[]): string {
  const page = new Page(packageOf(messages[0] ?? ''))
  for (const message of messages) page.add(messageSchema(message))
  return page.print()
}

/** Messages that have a type of their own already, and those that are no object. */
const written: ReadonlyMap<string, string> = new Map([
  ['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'ObjectMeta'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1', 'JsonObject'],
])

const head = '/** Made by `npm run generate` from the tables in src/api/facts. */'

class Page {
  readonly #home: string
  readonly #interfaces: string[] = []
  /** Names by the file that has them. */
  readonly #imports = new Map<string, Set<string>>()

  constructor(home: string) {
    this.#home = home
  }

  add(schema: Schema): void {
    if (schema.type !== 'object' || schema.properties === undefined || schema.name === undefined) return
    if (written.has(schema.name)) return
    const { metadata, ...members } = schema.properties
    const isKind = metadata?.name?.endsWith('.meta.v1.ObjectMeta') === true && !schema.name.endsWith('TemplateSpec')
    const shown = isKind ? members : schema.properties
    const lines = Object.entries(shown).map(([name, member]) => this.#member(schema, name, member))
    const base = isKind ? ` extends ${this.#imported('../object.ts', 'KubeObject')}` : ''
    this.#interfaces.push(
      lines.length === 0
        ? `export type ${shortName(schema.name)} = ${isKind ? 'KubeObject' : 'Readonly<Record<string, never>>'}`
        : `export interface ${shortName(schema.name)}${base} {\n${lines.join('\n')}\n}`,
    )
  }

  print(): string {
    const files = [...this.#imports].sort(([left], [right]) => order(left).localeCompare(order(right)))
    const imports = files.map(([file, names]) => `import type { ${[...names].sort().join(', ')} } from '${file}'`)
    return `${[imports.join('\n'), head, ...this.#interfaces].filter((part) => part !== '').join('\n\n')}\n`
  }

  #member(parent: Schema, name: string, schema: Schema): string {
    const isAlways = memberPresence(parent).get(name) === 'always'
    const isNullable =
      isAlways && (schema.type === 'array' || schema.format === 'date-time' || schema.format === 'micro-time')
    const key = /^[\w$]+$/.test(name) ? name : `'${name}'`
    return `  readonly ${key}${isAlways ? '' : '?'}: ${this.#type(schema)}${isNullable ? ' | null' : ''}`
  }

  #type(schema: Schema): string {
    if (schema.name !== undefined) return this.#named(schema.name)
    if (schema.format === 'int-or-string' || schema.format === 'quantity') return 'string | number'
    switch (schema.type) {
      case 'array':
        return `readonly ${this.#item(schema.items)}[]`
      case 'object':
        return schema.additionalProperties === undefined
          ? 'unknown'
          : `Readonly<Record<string, ${this.#type(schema.additionalProperties)}>>`
      case 'integer':
      case 'number':
        return 'number'
      case 'any':
        return 'unknown'
      default:
        return schema.type
    }
  }

  #item(items: Schema | undefined): string {
    const type = items === undefined ? 'unknown' : this.#type(items)
    return type.includes(' ') ? `(${type})` : type
  }

  #named(name: string): string {
    const own = written.get(name)
    if (own !== undefined) return this.#imported('../object.ts', own)
    const home = packageOf(name)
    return home === this.#home ? shortName(name) : this.#imported(`./${home}.ts`, shortName(name))
  }

  #imported(file: string, name: string): string {
    const names = this.#imports.get(file) ?? new Set()
    this.#imports.set(file, names.add(name))
    return name
  }
}

/** As imports are sorted: what is further up comes first. */
function order(file: string): string {
  return file.startsWith('..') ? `0${file}` : `1${file}`
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** `core-v1` for `k8s.io.api.core.v1.Service`. */
export function packageOf(name: string): string {
  const parts = name.split('.')
  return parts.slice(-3, -1).join('-')
}
