import { Document, isMap, isSeq, parseDocument, YAMLSeq } from 'yaml'
import { asMembers, asText } from '../../base/json/lenient.ts'
import type { KubeconfigEntry } from './entry.ts'

/** Where the previous context is remembered; kubectl preserves unknown data in extensions. */
const extensionName = 'tenant-connect'

/** A kubeconfig with the entry as its current context. Everything else stays unchanged, including comments. */
export function withEntry(text: string, entry: KubeconfigEntry): string {
  const document = read(text)
  const current = currentOf(document)
  const previous = previousOf(document, current) ?? current
  put(document, 'clusters', entry.name, { cluster: entry.cluster })
  put(document, 'users', entry.name, { user: entry.user })
  put(document, 'contexts', entry.name, {
    context: { cluster: entry.name, user: entry.name, extensions: [{ name: extensionName, extension: { previous } }] },
  })
  document.set('current-context', entry.name)
  return document.toString({ lineWidth: 0 })
}

export type Disconnected =
  | { readonly state: 'disconnected'; readonly text: string; readonly from: string; readonly to: string }
  | { readonly state: 'not-connected' }

/** The kubeconfig without its current entry, if this command added it, and with the previous context. */
export function withoutEntry(text: string): Disconnected {
  const document = read(text)
  const from = currentOf(document)
  const previous = previousOf(document, from)
  if (previous === undefined) return { state: 'not-connected' }
  for (const list of ['clusters', 'users', 'contexts']) take(document, list, from)
  const to = find(document, 'contexts', previous) === undefined ? '' : previous
  document.set('current-context', to)
  return { state: 'disconnected', text: document.toString({ lineWidth: 0 }), from, to }
}

/** A kubeconfig with only this entry. */
export function kubeconfigOf(entry: KubeconfigEntry): string {
  return withEntry('', entry)
}

function read(text: string): Document {
  const document = parseDocument(text)
  if (document.errors.length > 0) throw new Error('it is not valid YAML')
  if (document.contents === null) return new Document({ apiVersion: 'v1', kind: 'Config' })
  if (!isMap(document.contents)) throw new Error('it does not hold an object')
  return document
}

function currentOf(document: Document): string {
  return asText(document.get('current-context'))
}

/** Undefined for a context that this command did not add, whatever its name: `tenant up` has similar ones. */
function previousOf(document: Document, name: string): string | undefined {
  const { context } = asMembers(find(document, 'contexts', name)?.item)
  const extensions = asMembers(context).extensions
  const ours = Array.isArray(extensions) ? extensions.find((each) => asMembers(each).name === extensionName) : undefined
  if (ours === undefined) return undefined
  const { previous } = asMembers(asMembers(ours).extension)
  return asText(previous)
}

interface Found {
  readonly index: number
  readonly item: unknown
}

function find(document: Document, list: string, name: string): Found | undefined {
  const items: unknown = asMembers(document.toJS())[list]
  const index = Array.isArray(items) ? items.findIndex((item) => asMembers(item).name === name) : -1
  return Array.isArray(items) && index >= 0 ? { index, item: items[index] } : undefined
}

function put(document: Document, list: string, name: string, fields: Readonly<Record<string, unknown>>): void {
  const found = find(document, list, name)
  if (!isSeq(document.get(list))) document.set(list, new YAMLSeq())
  const item = document.createNode({ name, ...fields })
  if (found === undefined) document.addIn([list], item)
  else document.setIn([list, found.index], item)
}

function take(document: Document, list: string, name: string): void {
  const found = find(document, list, name)
  if (found !== undefined) document.deleteIn([list, found.index])
}
