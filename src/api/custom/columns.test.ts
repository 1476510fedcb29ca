import { expect, it } from 'vitest'
import { printerColumnsOf } from './columns.ts'

const object = {
  apiVersion: 'example.com/v1',
  kind: 'Foo',
  metadata: { name: 'foo', annotations: { 'a.b/c': 'noted' } },
  spec: { size: 3, ratio: 1.5, on: true, hosts: ['one', 'two'], since: '2029-12-31T23:59:00Z', when: 'yesterday' },
  status: {
    conditions: [
      { type: 'Synced', status: 'True', count: 1 },
      { type: 'Ready', status: 'False', reason: { code: 'Waiting' } },
    ],
  },
}

function shown(jsonPath: string, type = 'string'): unknown {
  return printerColumnsOf([{ name: 'C', type, jsonPath }])[1]?.value(object, Date.UTC(2030, 0, 1))
}

it.each([
  ['.status.conditions[?(@.type=="Ready")].status', 'string', 'False'],
  [".status.conditions[?(@.type=='Synced')].status", 'string', 'True'],
  ['.status.conditions[?( @.type == "Ready" )].reason.code', 'string', 'Waiting'],
  ['.status.conditions[?(@.reason.code=="Waiting")].type', 'string', 'Ready'],
  ['.status.conditions[?(@.type!="Ready")].type', 'string', 'Synced'],
  ['.status.conditions[?(@.count==1)].type', 'string', 'Synced'],
  ['.status.conditions[?(@.reason)].type', 'string', 'Ready'],
  ['.status.conditions[?(@.count==01)].type', 'string', 'Synced'],
  ['.status.conditions[?(@.type=="\\d")].type', 'string', null],
  ['.status.conditions[?(@.type=="Absent")].status', 'string', null],
  ['.spec[?(@.size==3)]', 'string', null],
  ['.status.conditions[?(@.type=~"R.*")].status', 'string', null],
  [".metadata.annotations['a.b/c']", 'string', 'noted'],
  ['.metadata.annotations.a\\.b/c', 'string', 'noted'],
  ['.metadata.*', 'string', 'foo'],
  ['.spec.hosts[*]', 'string', 'one'],
  ['.spec.hosts', 'string', '["one","two"]'],
  ['.spec.hosts[-1]', 'string', 'two'],
  ['.spec.size', 'integer', 3],
  ['.spec.ratio', 'integer', 1],
  ['.spec.hosts', 'integer', null],
  ['.spec.on', 'boolean', true],
  ['.spec.since', 'date', '60s'],
  ['.spec.when', 'date', '<invalid>'],
])('a column shows %s as %s', (jsonPath, type, expected) => {
  expect(shown(jsonPath, type)).toBe(expected)
})

it('without columns the age is shown', () => {
  expect(printerColumnsOf([]).map(({ name }) => name)).toEqual(['Name', 'Age'])
})

it('a cell has a limited length, whatever it shows', () => {
  const large = { ...object, spec: { text: 'x'.repeat(100_000), list: Array.from({ length: 20_000 }, () => 'y') } }
  for (const jsonPath of ['.spec', '.spec.text', '.spec.list']) {
    const value = printerColumnsOf([{ name: 'C', type: 'string', jsonPath }])[1]?.value(large, 0)
    expect(String(value).length).toBeLessThan(1_100)
  }
})

it('a filter reads no more of a large object than a plain path', () => {
  let looks = 0
  const counted = {
    get inner() {
      looks += 1
      return {}
    },
  }
  const lists = Array.from({ length: 500 }, () => Array.from({ length: 20 }, () => counted))
  const jsonPath = '.spec.lists[?(@[*].inner.absent)]'
  const column = printerColumnsOf([{ name: 'C', type: 'string', jsonPath }])[1]
  expect(column?.value({ ...object, spec: { lists } }, 0)).toBe(null)
  expect(looks).toBeLessThan(1_001)
})

it('a filter stops at the same number of items if none of them matches', () => {
  let looks = 0
  const items = new Proxy(
    Array.from({ length: 10_000 }, () => ({})),
    {
      get: (target, key) => {
        looks += 1
        return Reflect.get(target, key)
      },
    },
  )
  const column = printerColumnsOf([{ name: 'C', type: 'string', jsonPath: '.spec.items[?(@.absent)]' }])[1]
  expect(column?.value({ ...object, spec: { items } }, 0)).toBe(null)
  expect(looks).toBeGreaterThan(1_000)
  expect(looks).toBeLessThan(3_000)
})
