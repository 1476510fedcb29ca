import type {
  Direction,
  FoundReference,
  NameTranslator,
  ObjectName,
  ReferenceAction,
  ReferencedKind,
} from './contract.ts'
import { type Match, matchAt } from './path/matches.ts'
import type { Path } from './path/path.ts'
import { printConcretePath } from './path/print.ts'
import type { Replacement } from './path/replace.ts'
import { isReserved } from './path/reserved.ts'
import { describedShape } from './shape.ts'

export interface ReferenceSetting {
  readonly direction: Direction
  readonly names: NameTranslator
  /** The namespace of the object that contains the reference, on the source side. */
  readonly ownerNamespace: string
}

export type ReferenceRewrite =
  | { readonly state: 'rewritten'; readonly replacements: readonly Replacement[]; readonly reference: FoundReference }
  /** There is no name to rewrite. */
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly message: string }

/** The result of rewriting one reference. Only differences are replaced. */
export function rewriteReference(match: Match, action: ReferenceAction, setting: ReferenceSetting): ReferenceRewrite {
  const name = placeOf(match, action.namePath)
  if (name === undefined || name.value === null || name.value === '') return { state: 'absent' }
  if (typeof name.value !== 'string') return { state: 'failed', message: notAName(name, action) }
  if (isReserved(name.path)) return { state: 'failed', message: `${printConcretePath(name.path)} is out of reach` }
  const apiVersion = textAt(match, action.apiVersionPath)?.value ?? action.apiVersion
  const kind = textAt(match, action.kindPath)?.value ?? action.kind
  if (apiVersion === undefined || kind === undefined) return pathNotFound(kind === undefined ? 'kind' : 'apiVersion')
  const namespace = textAt(match, action.namespacePath)
  const source = { apiVersion, kind, namespace: namespace?.value ?? setting.ownerNamespace, name: name.value }
  const translated = translate(source, setting)
  if (translated === undefined && setting.direction === 'toHost') return unmapped(source)
  return {
    state: 'rewritten',
    replacements: translated === undefined ? [] : replacements(name, namespace, translated),
    reference: {
      ...source,
      direction: setting.direction,
      path: printConcretePath(name.path),
      ...(translated && { translated }),
    },
  }
}

function translate(source: ReferencedKind & ObjectName, setting: ReferenceSetting): ObjectName | undefined {
  const { names, direction } = setting
  const other = names[direction](source, source.namespace, source.name)
  return other === undefined || !names.multiNamespace ? other : { ...other, name: source.name }
}

function replacements(name: Match, namespace: Match | undefined, translated: ObjectName): readonly Replacement[] {
  const wanted = [{ place: name, value: translated.name }]
  if (namespace !== undefined) wanted.push({ place: namespace, value: translated.namespace })
  return wanted
    .filter(({ place, value }) => place.value !== value && !isReserved(place.path))
    .map(({ place, value }) => ({ path: place.path, value }))
}

function unmapped({ namespace }: ObjectName): ReferenceRewrite {
  return { state: 'failed', message: `the namespace ${namespace} is not mapped to a namespace of the host` }
}

function pathNotFound(field: 'apiVersion' | 'kind'): ReferenceRewrite {
  return { state: 'failed', message: `${field}Path led nowhere, and there is no ${field}` }
}

/** Non-empty text; anything else counts as not found. */
function textAt(match: Match, path: Path | undefined): (Match & { readonly value: string }) | undefined {
  const place = path && placeOf(match, path)
  return place !== undefined && typeof place.value === 'string' && place.value !== ''
    ? { path: place.path, value: place.value }
    : undefined
}

function placeOf(match: Match, path: Path | undefined): Match | undefined {
  if (path === undefined) return match
  const below = matchAt(match.value, path)
  return below && { path: [...match.path, ...below.path], value: below.value }
}

function notAName(name: Match, action: ReferenceAction): string {
  const found = `expected a name, found ${describedShape(name.value)}`
  if (Array.isArray(name.value)) return `${found}; a path that ends with [*] means each element`
  const lacksNamePath = typeof name.value === 'object' && action.namePath === undefined
  return lacksNamePath ? `${found}; namePath says where in it the name is` : found
}
