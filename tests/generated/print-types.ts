import { memberPresence } from '../../src/api/decode/presence.ts'
import { messageSchema } from '../../src/api/facts/message-schema.ts'
import type { Kind } from '../../src/api/kind.ts'
import type { Schema } from '../../src/api/schema.ts'

/** The TypeScript types of a package of messages, as a file. */
export function printPackage(messages: readonly string[]): string {
  const page = new Page(
    packageOf(messages[0] ?? ''),
    '/** Made by `npm run generate` from the tables in src/api/facts. */',
  )
  for (const message of messages) page.add(messageSchema(message))
  return page.print()
}

/** The same for the kinds of the platform. */
export function printKinds(kinds: readonly Kind[]): string {
  const page = new Page('management', '/** Made by `npm run generate` from the kinds in src/api/management. */')
  for (const { schema } of kinds) page.add(schema)
  return page.print()
}

/** Messages that already have a type, and messages that are not objects. */
const written: ReadonlyMap<string, string> = new Map([
  ['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'ObjectMeta'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1', 'JsonObject'],
])

class Page {
  readonly #home: string
  readonly #head: string
  /** By name, so that each is printed once. */
  readonly #interfaces = new Map<string, string>()
  /** Imported names by file. */
  readonly #imports = new Map<string, Set<string>>()

  constructor(home: string, head: string) {
    this.#home = home
    this.#head = head
  }

  /** Named types within it are printed after it. */
  add(schema: Schema): void {
    const name = typeNameOf(schema)
    if (schema.properties === undefined || name === undefined || written.has(schema.name ?? '')) return
    if (schema.name === userSchema) return
    if (this.#interfaces.has(name)) return
    this.#interfaces.set(name, '')
    const { apiVersion: _, kind: __, metadata, ...members } = schema.properties
    const isKind = metadata?.name === objectMeta && !name.endsWith('TemplateSpec')
    const base = isKind ? ` extends ${this.#imported('../object.ts', 'KubeObject')}` : ''
    const lines = this.#members(schema, isKind ? members : schema.properties, '  ')
    this.#interfaces.set(
      name,
      lines.length === 0 ? emptyType(name, isKind) : `export interface ${name}${base} {\n${lines}\n}`,
    )
  }

  print(): string {
    const files = [...this.#imports].sort(([left], [right]) => order(left).localeCompare(order(right)))
    const imports = files.map(([file, names]) => `import type { ${[...names].sort().join(', ')} } from '${file}'`)
    return `${[imports.join('\n'), this.#head, ...this.#interfaces.values()].filter((part) => part !== '').join('\n\n')}\n`
  }

  #members(parent: Schema, members: Readonly<Record<string, Schema>>, indent: string): string {
    const presence = memberPresence(parent)
    const lines = Object.entries(members).map(([name, schema]) => {
      const isAlways = presence.get(name) === 'always'
      const key = /^[\w$]+$/.test(name) ? name : `'${name}'`
      const isNull = presence.get(name) === 'nullable' || (isAlways && mayBeNull(schema))
      const type = `${this.#type(schema, indent)}${isNull ? ' | null' : ''}`
      return `${indent}readonly ${key}${isAlways ? '' : '?'}: ${type}`
    })
    return lines.join('\n')
  }

  #type(schema: Schema, indent: string): string {
    if (schema.name === userSchema) return 'Readonly<Record<string, unknown>>'
    if (schema.typeName !== undefined) {
      this.add(schema)
      return schema.typeName
    }
    if (schema.name !== undefined && schema.type !== 'any') return this.#named(schema.name)
    if (schema.format === 'int-or-string' || schema.format === 'quantity') return 'string | number'
    if (schema.type === 'array') return `readonly ${inList(this.#type(schema.items ?? { type: 'any' }, indent))}[]`
    if (schema.type === 'object') return this.#objectType(schema, indent)
    if (schema.enum !== undefined && this.#home === 'management')
      return schema.enum.map((each) => `'${each}'`).join(' | ')
    return scalars[schema.type] ?? schema.type
  }

  #objectType(schema: Schema, indent: string): string {
    const { additionalProperties: values, properties } = schema
    if (values !== undefined) return `Readonly<Record<string, ${this.#type(values, indent)}>>`
    if (properties === undefined) return 'Readonly<Record<string, unknown>>'
    return `{\n${this.#members(schema, properties, `${indent}  `)}\n${indent}}`
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

/** Read member by member, because users wrote it. */
const userSchema = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'
const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
const scalars: Readonly<Record<string, string>> = { integer: 'number', number: 'number', any: 'unknown' }

function typeNameOf({ typeName, name }: Schema): string | undefined {
  return typeName ?? (name === undefined ? undefined : shortName(name))
}

function emptyType(name: string, isKind: boolean): string {
  return `export type ${name} = ${isKind ? 'KubeObject' : 'Readonly<Record<string, never>>'}`
}

/** Whether it is shown even when it is empty. */
function mayBeNull({ type, format }: Schema): boolean {
  return type === 'array' || format === 'date-time' || format === 'micro-time'
}

function inList(type: string): string {
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type
}

/** The order of imports: parent folders first. */
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
