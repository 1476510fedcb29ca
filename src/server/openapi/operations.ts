import type { Described, DescribedSubresource } from './described.ts'
import {
  createParameters,
  deleteCollectionParameters,
  deleteParameters,
  getParameters,
  listParameters,
  nameParameter,
  namespaceParameter,
  type OpenApiParameter,
  patchParameters,
  updateParameters,
} from './parameters.ts'

/** A path with its operations, independent of the dialect. */
export interface ResourcePath {
  readonly path: string
  readonly parameters: readonly OpenApiParameter[]
  readonly operations: readonly OpenApiOperation[]
  /** What is read and written there, if it is not the object itself. */
  readonly shows?: Described
}

export interface OpenApiOperation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  readonly action: 'get' | 'list' | 'post' | 'put' | 'patch' | 'delete' | 'deletecollection' | 'connect'
  readonly id: string
  readonly tag: string
  readonly description: string
  readonly parameters: readonly OpenApiParameter[]
  readonly body?: 'object' | 'patch' | 'delete-options'
  readonly answer: 'object' | 'list' | 'status'
  readonly codes: readonly number[]
}

interface Form {
  readonly verb: string
  readonly word: string
  readonly says: string
  readonly operation: Omit<OpenApiOperation, 'id' | 'tag' | 'description'>
}

const collectionForms: readonly Form[] = [
  form('list', 'list', 'Lists or watches', {
    method: 'get',
    action: 'list',
    parameters: listParameters,
    answer: 'list',
    codes: [200],
  }),
  form('create', 'create', 'Creates', {
    method: 'post',
    action: 'post',
    parameters: createParameters,
    body: 'object',
    answer: 'object',
    codes: [200, 201, 202],
  }),
  form('deletecollection', 'delete', 'Deletes a selection of', {
    method: 'delete',
    action: 'deletecollection',
    parameters: deleteCollectionParameters,
    body: 'delete-options',
    answer: 'list',
    codes: [200],
  }),
]

const objectForms: readonly Form[] = [
  form('get', 'read', 'Reads', {
    method: 'get',
    action: 'get',
    parameters: getParameters,
    answer: 'object',
    codes: [200],
  }),
  form('update', 'replace', 'Replaces', {
    method: 'put',
    action: 'put',
    parameters: updateParameters,
    body: 'object',
    answer: 'object',
    codes: [200, 201],
  }),
  form('patch', 'patch', 'Changes a part of', {
    method: 'patch',
    action: 'patch',
    parameters: patchParameters,
    body: 'patch',
    answer: 'object',
    codes: [200, 201],
  }),
  form('delete', 'delete', 'Deletes', {
    method: 'delete',
    action: 'delete',
    parameters: deleteParameters,
    body: 'delete-options',
    answer: 'status',
    codes: [200, 202],
  }),
]

function form(verb: string, word: string, says: string, operation: Form['operation']): Form {
  return { verb, word, says, operation }
}

/** Every path at which a resource is served. */
export function pathsOf(described: Described): readonly ResourcePath[] {
  const { stored } = described
  if (stored === undefined) return [reviewPath(described)]
  const everywhere = described.namespaced
    ? [collection(described, `${root(described)}/${described.plural}`, new Set(['list']), 'ForAllNamespaces')]
    : []
  return [
    ...everywhere,
    collection(described, resourcePath(described), stored.verbs, ''),
    single(described, objectPath(described), stored.verbs, ''),
    ...stored.subresources.map((each) => subresourcePath(described, each)),
  ]
}

function root({ group, version }: Described): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

function resourcePath(described: Described): string {
  const scope = described.namespaced ? `${root(described)}/namespaces/{namespace}` : root(described)
  return `${scope}/${described.plural}`
}

function objectPath(described: Described): string {
  return `${resourcePath(described)}/{name}`
}

function reviewPath(described: Described): ResourcePath {
  const create = new Set(['create'])
  if (described.parent === undefined) return collection(described, resourcePath(described), create, '')
  if (described.hasOwnParent === true) {
    const path = `${objectPath({ ...described, plural: described.parent })}/${described.plural}`
    if (described.isRead === true) return single(described, path, new Set(['get']), '')
    return { ...collection(described, path, create, ''), parameters: parametersOf(described) }
  }
  const path = `/api/v1/namespaces/{namespace}/${described.parent}/{name}/${described.plural}`
  return { ...collection(described, path, create, ''), parameters: [nameParameter, namespaceParameter] }
}

function subresourcePath(described: Described, { name, verbs, shows }: DescribedSubresource): ResourcePath {
  const path = single(described, `${objectPath(described)}/${name}`, verbs, capitalized(name))
  return shows === undefined ? path : { ...path, shows }
}

function collection(described: Described, path: string, verbs: ReadonlySet<string>, suffix: string): ResourcePath {
  const scoped = path.includes('{namespace}') ? [namespaceParameter] : []
  return { path, parameters: scoped, operations: operationsOf(collectionForms, described, verbs, suffix) }
}

function single(described: Described, path: string, verbs: ReadonlySet<string>, suffix: string): ResourcePath {
  return { path, parameters: parametersOf(described), operations: operationsOf(objectForms, described, verbs, suffix) }
}

function parametersOf({ namespaced }: Described) {
  return namespaced ? [nameParameter, namespaceParameter] : [nameParameter]
}

function operationsOf(
  forms: readonly Form[],
  described: Described,
  verbs: ReadonlySet<string>,
  suffix: string,
): readonly OpenApiOperation[] {
  const scope = described.namespaced && suffix !== 'ForAllNamespaces' ? 'Namespaced' : ''
  const word = groupWord(described)
  const api = `${word}${capitalized(described.version)}`
  const tag = `${word.charAt(0).toLowerCase()}${word.slice(1)}_${described.version}`
  return forms
    .filter(({ verb }) => verbs.has(verb))
    .map(({ verb, word: does, says, operation }) => ({
      ...operation,
      tag,
      id: `${does}${api}${verb === 'deletecollection' ? 'Collection' : ''}${scope}${described.kind}${suffix}`,
      description: `${says} ${described.kind} objects.`,
    }))
}

/** `RbacAuthorization` for rbac.authorization.k8s.io, `Core` for the core group. */
function groupWord({ group }: { readonly group: string }): string {
  if (group === '') return 'Core'
  return group
    .replace(/\.k8s\.io$/, '')
    .split(/[.-]/)
    .map(capitalized)
    .join('')
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
