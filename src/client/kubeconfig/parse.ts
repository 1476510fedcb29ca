import { JsonSyntaxError } from '../../base/json/error.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { parseYaml } from '../../base/json/yaml.ts'
import { ownYaml } from '../../base/json/yaml-compose.ts'
import { KubeconfigError } from './contract.ts'
import { problem, type Section, sectionIn, textIn } from './section.ts'

/** Clusters, users and contexts by name. */
export interface Kubeconfig {
  readonly files: readonly string[]
  readonly clusters: ReadonlyMap<string, Section>
  readonly users: ReadonlyMap<string, Section>
  readonly contexts: ReadonlyMap<string, Section>
  readonly currentContext: string | undefined
}

export function parseKubeconfig(text: string, file: string): Kubeconfig {
  const root: Section = { file, place: '', fields: fieldsIn(text, file) }
  const { kind = 'Config', apiVersion = 'v1' } = root.fields
  if (kind !== 'Config' || apiVersion !== 'v1') throw new KubeconfigError(`${file}: it is no kubeconfig (Config, v1)`)
  return {
    files: [file],
    clusters: named(root, 'clusters', 'cluster'),
    users: named(root, 'users', 'user'),
    contexts: named(root, 'contexts', 'context'),
    currentContext: textIn(root, 'current-context'),
  }
}

/** The first entry of a name wins. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const last = [...configs].reverse()
  const merged = (part: 'clusters' | 'users' | 'contexts') => new Map(last.flatMap((config) => [...config[part]]))
  return {
    files: configs.flatMap(({ files }) => files),
    clusters: merged('clusters'),
    users: merged('users'),
    contexts: merged('contexts'),
    currentContext: configs.map(({ currentContext }) => currentContext).find((name) => name !== undefined),
  }
}

function fieldsIn(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const { value } = parseYaml(text, ownYaml)
    if (value === null) return {}
    if (isJsonObject(value)) return value
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new KubeconfigError(`${file}: it cannot be read: ${withoutQuotes(error.message)}`)
  }
  throw new KubeconfigError(`${file}: it does not hold an object`)
}

/** Parsers quote the file, which may contain secrets. */
function withoutQuotes(message: string): string {
  return message.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
}

function named(root: Section, list: string, member: string): ReadonlyMap<string, Section> {
  const entries = root.fields[list] ?? []
  if (!Array.isArray(entries)) throw problem(root, list, 'is not a list')
  const sections = entries.map((fields, index) => {
    if (!isJsonObject(fields)) throw problem(root, `${list}[${index}]`, 'is not an object')
    const name = textIn({ ...root, place: `${list}[${index}]`, fields }, 'name')
    if (name === undefined) throw problem(root, `${list}[${index}].name`, 'is missing')
    const entry = { ...root, place: `${list}[${JSON.stringify(name)}]`, fields }
    const section = sectionIn(entry, member) ?? { ...entry, place: `${entry.place}.${member}`, fields: {} }
    return [name, section] as const
  })
  return new Map(sections.reverse())
}
