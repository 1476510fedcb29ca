import { describe, expect, it } from 'vitest'
import { positionOf } from '../../src/api/tenant-config/document.ts'
import { parseTenantConfig } from '../../src/api/tenant-config/parse.ts'
import { patchListsOf } from '../../src/api/tenant-config/patch-lists.ts'
import type { ConfigPath } from '../../src/api/tenant-config/problem.ts'

const text = `# the demo
sync:
  toHost:
    endpoints:
      patches:
        - path: metadata.annotations[*]
          expression: value + bad
        - path: 'it''s bad'
          expression: "\\"x\\" + bad"
        - path: literal
          expression: |-
            (v => {
              return bad
            })(value)
        - path: folded
          expression: >
            value
              ? bad

            : other
    services: {patches: [{path: flow, labels: {}}]}
`

const { document } = parseTenantConfig(text, 'tenant.yaml')
const patches = ['sync', 'toHost', 'endpoints', 'patches']

function place(path: ConfigPath, offset?: number): string {
  const { line, column, length } = positionOf(document, path, offset)
  return `${line}:${column}+${length}`
}

describe('positionOf', () => {
  it.each<[string, ConfigPath, string]>([
    ['a plain value', [...patches, 0, 'path'], '6:17+23'],
    ['a quoted value', [...patches, 1, 'path'], '8:17+11'],
    ['a mapping: its key', ['sync', 'toHost'], '3:3+6'],
    ['a list: its key', patches, '5:7+7'],
    ['an item of a list: how it starts', [...patches, 2], '10:11+4'],
    ['an item in flow style', ['sync', 'toHost', 'services', 'patches', 0], '21:27+4'],
    ['an empty mapping: its key', ['sync', 'toHost', 'services', 'patches', 0, 'labels'], '21:39+6'],
    ['an absent member: its place', [...patches, 0, 'reference', 'kind'], '6:11+4'],
    ['an absent item', [...patches, 99], '5:7+7'],
    ['the document', [], '2:1+4'],
    ['nothing at all', ['zebra'], '2:1+4'],
  ])('finds %s', (_name, path, expected) => {
    expect(place(path)).toBe(expected)
  })

  it.each<[string, number, string]>([
    ['in a plain text', 0, '7:31+1'],
    ['in double quotes with escapes', 1, '9:32+1'],
    ['in a block of several lines', 2, '13:22+1'],
    ['in a folded block with deeper lines', 3, '18:17+1'],
  ])('finds a place %s', (_name, index, expected) => {
    const source = patchListsOf(document)[0]?.patches[index]?.expression ?? ''
    expect(place([...patches, index, 'expression'], source.indexOf('bad'))).toBe(expected)
  })

  it('finds the end of a text, and never points past it', () => {
    expect(place([...patches, 0, 'expression'], 11)).toBe('7:34+0')
    expect(place([...patches, 0, 'expression'], 1_000)).toBe('7:34+0')
    expect(place([...patches, 1, 'path'], 8)).toBe('8:27+1')
    expect(place([...patches, 0, 'expression'], -1)).toBe('7:23+1')
    expect(place([...patches, 3, 'expression'], 1_000)).toBe('20:20+0')
  })

  it('points at the start of invalid text', () => {
    const broken = parseTenantConfig('a: [', 'tenant.yaml').document
    expect(positionOf(broken, ['a'], 3)).toEqual({ line: 1, column: 1, length: 0 })
  })
})

describe('patchListsOf', () => {
  it('returns every list with its position', () => {
    expect(patchListsOf(document).map(({ path, indexes }) => [path.join('.'), indexes])).toEqual([
      ['sync.toHost.endpoints.patches', [0, 1, 2, 3]],
      ['sync.toHost.services.patches', [0]],
    ])
  })

  it('skips invalid entries and keeps the numbers of the rest', () => {
    const { document: broken } = parseTenantConfig(
      'zebra: 1\nsync: {fromHost: {customResources: {a.b: {patches: [1, {path: x, labels: {}}, {path: 2}, {path: z}]}}}}',
      'tenant.yaml',
    )
    expect(patchListsOf(broken)).toEqual([
      {
        section: 'fromHost',
        path: ['sync', 'fromHost', 'customResources', 'a.b', 'patches'],
        patches: [{ path: 'x', labels: {} }, { path: 'z' }],
        indexes: [1, 3],
      },
    ])
  })
})
