import { describe, expect, it } from 'vitest'
import type { Direction, NameTranslator, ReferenceAction } from './contract.ts'
import { findMatches } from './path/matches.ts'
import { parsePath } from './path/parse.ts'
import type { Path } from './path/path.ts'
import { replaceAt } from './path/replace.ts'
import { rewriteReference } from './reference.ts'

function path(text: string): Path {
  const parsed = parsePath(text)
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return parsed.path
}

/**
 * Host names are spelled out to keep tests readable; objects with the prefix `mine-` belong to the tenant on the host.
 */
const singleNamespace: NameTranslator = {
  multiNamespace: false,
  toHost: ({ kind }, namespace, name) => ({ namespace: 'host-ns', name: `mine-${kind}-${namespace}-${name}` }),
  toVirtual: (_kind, _hostNamespace, hostName) => {
    const [owner, , namespace, name] = hostName.split('-')
    return owner === 'mine' && namespace !== undefined && name !== undefined ? { namespace, name } : undefined
  },
}

const multiNamespace: NameTranslator = {
  multiNamespace: true,
  toHost: (_kind, namespace) => ({ namespace: `host-${namespace}`, name: 'not used' }),
  toVirtual: (_kind, hostNamespace) => ({ namespace: hostNamespace.replace(/^host-/, ''), name: 'not used' }),
}

const secret: ReferenceAction = { type: 'reference', apiVersion: 'v1', kind: 'Secret' }
const structured: ReferenceAction = {
  ...secret,
  namePath: path('name'),
  namespacePath: path('namespace'),
  kindPath: path('kind'),
  apiVersionPath: path('apiVersion'),
}

function rewritten(value: unknown, action: ReferenceAction, names = singleNamespace, direction: Direction = 'toHost') {
  const [match] = findMatches({ spec: { ref: value } }, path('spec.ref'))
  if (match === undefined) throw new Error('There is no value.')
  const ownerNamespace = direction === 'toHost' ? 'team' : 'host-team'
  const rewrite = rewriteReference(match, action, { direction, names, ownerNamespace })
  if (rewrite.state !== 'rewritten') return rewrite
  const after = replaceAt({ spec: { ref: value } }, rewrite.replacements)
  return { after, reference: rewrite.reference }
}

describe('a reference on the way to the host', () => {
  it('that is a bare name gets the host name', () => {
    expect(rewritten('db', secret)).toEqual({
      after: { spec: { ref: 'mine-Secret-team-db' } },
      reference: {
        apiVersion: 'v1',
        kind: 'Secret',
        namespace: 'team',
        name: 'db',
        direction: 'toHost',
        path: 'spec.ref',
        translated: { namespace: 'host-ns', name: 'mine-Secret-team-db' },
      },
    })
  })

  it('that is an object is rewritten where namePath and namespacePath lead', () => {
    expect(rewritten({ name: 'db', namespace: 'other', key: 'k' }, structured)).toMatchObject({
      after: { spec: { ref: { name: 'mine-Secret-other-db', namespace: 'host-ns', key: 'k' } } },
      reference: { kind: 'Secret', namespace: 'other', name: 'db', path: 'spec.ref.name' },
    })
  })

  it('takes kind and apiVersion from the object if their paths lead to text, and from the configuration otherwise', () => {
    const found = { name: 'x', kind: 'Widget', apiVersion: 'example.com/v1' }
    expect(rewritten(found, structured)).toMatchObject({ reference: { kind: 'Widget', apiVersion: 'example.com/v1' } })
    expect(rewritten({ name: 'x', kind: '', apiVersion: 7 }, structured)).toMatchObject({
      reference: { kind: 'Secret', apiVersion: 'v1' },
    })
  })

  it('without a namespace means the namespace of the virtual object, and gets none', () => {
    expect(rewritten({ name: 'db' }, structured)).toMatchObject({
      after: { spec: { ref: { name: 'mine-Secret-team-db' } } },
      reference: { namespace: 'team' },
    })
    expect(JSON.stringify(rewritten({ name: 'db' }, structured))).not.toContain(
      '"spec":{"ref":{"name":"mine-Secret-team-db","namespace"',
    )
  })

  it('keeps its name in multi-namespace mode; only the namespace is mapped', () => {
    expect(rewritten({ name: 'db', namespace: 'other' }, structured, multiNamespace)).toMatchObject({
      after: { spec: { ref: { name: 'db', namespace: 'host-other' } } },
      reference: { translated: { namespace: 'host-other', name: 'db' } },
    })
    expect(rewritten('db', secret, multiNamespace)).toMatchObject({ after: { spec: { ref: 'db' } } })
  })

  it('into an unmapped namespace is refused: the host may have one of that name that belongs to others', () => {
    const none: NameTranslator = { ...multiNamespace, toHost: () => undefined }
    expect(rewritten({ name: 'db', namespace: 'kube-system' }, structured, none)).toEqual({
      state: 'failed',
      message: 'the namespace kube-system is not mapped to a namespace of the host',
    })
  })
})

describe('a reference on the way back', () => {
  it('gets its virtual name again', () => {
    expect(rewritten('mine-Secret-team-db', secret, singleNamespace, 'toVirtual')).toMatchObject({
      after: { spec: { ref: 'db' } },
      reference: {
        direction: 'toVirtual',
        namespace: 'host-team',
        name: 'mine-Secret-team-db',
        translated: { namespace: 'team', name: 'db' },
      },
    })
    const value = { name: 'mine-Secret-other-db', namespace: 'host-ns' }
    expect(rewritten(value, structured, singleNamespace, 'toVirtual')).toMatchObject({
      after: { spec: { ref: { name: 'db', namespace: 'other' } } },
    })
    expect(rewritten({ name: 'db', namespace: 'host-other' }, structured, multiNamespace, 'toVirtual')).toMatchObject({
      after: { spec: { ref: { name: 'db', namespace: 'other' } } },
    })
  })

  it('to an object of others is unchanged, for the syncer to import', () => {
    const rewrite = rewritten('shared-ca', secret, singleNamespace, 'toVirtual')
    expect(rewrite).toEqual({
      after: { spec: { ref: 'shared-ca' } },
      reference: {
        apiVersion: 'v1',
        kind: 'Secret',
        namespace: 'host-team',
        name: 'shared-ca',
        direction: 'toVirtual',
        path: 'spec.ref',
      },
    })
  })
})

describe('a value without a name', () => {
  it.each<readonly [unknown, ReferenceAction]>([
    ['', secret],
    [null, secret],
    [{ namespace: 'x' }, structured],
    ['text', structured],
  ])('%j is not a reference', (value, action) => {
    expect(rewritten(value, action)).toEqual({ state: 'absent' })
  })

  it.each<readonly [unknown, ReferenceAction, string]>([
    [7, secret, 'expected a name, found a number'],
    [['a'], secret, 'expected a name, found an array; a path that ends with [*] means each element'],
    [{ name: 'a' }, secret, 'expected a name, found an object; namePath says where in it the name is'],
    [{ name: {} }, structured, 'expected a name, found an object'],
    [
      { name: 'a' },
      { type: 'reference', kind: 'Secret', namePath: path('name'), apiVersionPath: path('v') },
      'apiVersionPath led nowhere, and there is no apiVersion',
    ],
    [
      { name: 'a' },
      { type: 'reference', apiVersion: 'v1', namePath: path('name'), kindPath: path('kind') },
      'kindPath led nowhere, and there is no kind',
    ],
  ])('%j fails with the problem', (value, action, message) => {
    expect(rewritten(value, action)).toEqual({ state: 'failed', message })
  })
})
