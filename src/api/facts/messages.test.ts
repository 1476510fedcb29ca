import { describe, expect, it } from 'vitest'
import { isScalar } from './message.ts'
import { findMessage, messageNamed, messageNames, shortMessageName } from './messages.ts'
import { parseMessage } from './parse.ts'

const core = 'k8s.io.api.core.v1'
const meta = 'k8s.io.apimachinery.pkg.apis.meta.v1'

function field(message: string, name: string) {
  return findMessage(message)?.fields.find((each) => each.name === name)
}

describe('the tables', () => {
  it('know every message that a field refers to', () => {
    const names = new Set(messageNames())
    const types = [...names].flatMap((name) => messageNamed(name).fields.map(({ type }) => type))
    expect(types.filter((type) => !isScalar(type) && !names.has(type))).toEqual([])
    expect(names.size).toBe(521)
  })

  it('give every field of a message a unique number and name', () => {
    for (const name of messageNames()) {
      const { fields } = messageNamed(name)
      expect(new Set(fields.map((each) => each.number)).size, name).toBe(fields.length)
      expect(new Set(fields.map((each) => each.name)).size, name).toBe(fields.length)
    }
  })

  it('name keys that the items of their lists have', () => {
    const unknown = messageNames().flatMap((name) =>
      messageNamed(name).fields.flatMap(({ type, schema }) => {
        const keys = [
          ...(schema?.listMapKeys ?? []),
          ...(schema?.patchMergeKey === undefined ? [] : [schema.patchMergeKey]),
        ]
        return keys.filter((key) => !membersOf(type).includes(key)).map((key) => `${name}: ${type}.${key}`)
      }),
    )
    expect(unknown).toEqual([])
  })

  it.each([
    [`${core}.ServicePort`, 'targetPort', 4, 'k8s.io.apimachinery.pkg.util.intstr.IntOrString', 'single', 'always'],
    [`${core}.Secret`, 'data', 2, 'bytes', 'map', 'optional'],
    [`${core}.Secret`, 'immutable', 5, 'bool', 'single', 'explicit'],
    ['k8s.io.api.rbac.v1.PolicyRule', 'verbs', 1, 'string', 'list', 'always'],
    [`${core}.Event`, 'eventTime', 10, `${meta}.MicroTime`, 'single', 'always'],
  ])('have %s.%s', (message, name, number, type, shape, presence) => {
    expect(field(message, name)).toMatchObject({ number, name, type, shape, presence })
  })

  it('are empty for messages that they do not contain', () => {
    for (const name of [`${core}.Nosuch`, '__proto__', `${core}.`, 'Pod', '']) expect(findMessage(name)).toBeUndefined()
    expect(shortMessageName(`${core}.Pod`)).toBe('core.Pod')
  })
})

describe('a message of a table', () => {
  const full = (type: string) => type

  it('says what its fields are', () => {
    const text = [
      'Example atomic',
      '  1 ports: Port[]! (required, keyed by port protocol, patched by port)',
      '  2 uID: string? (json uid, default "a", one of a b)',
      '  3 rest: map meta.Rest (atomic)',
      '  4 source: Source (inline)',
      '  5 items: Item[] (merged by name, retain keys)',
      '  6 names: string[] (set, patched)',
    ].join('\n')
    const plain = {
      shape: 'single',
      presence: 'optional',
      isInlined: false,
      isRequired: false,
      isWhole: false,
      schema: undefined,
    }
    expect(parseMessage('Example', text, full)).toEqual({
      name: 'Example',
      isAtomic: true,
      form: undefined,
      fields: [
        {
          ...plain,
          number: 1,
          name: 'ports',
          type: 'Port',
          shape: 'list',
          presence: 'always',
          isRequired: true,
          schema: {
            listType: 'map',
            listMapKeys: ['port', 'protocol'],
            patchStrategy: 'merge',
            patchMergeKey: 'port',
          },
        },
        {
          ...plain,
          number: 2,
          name: 'uid',
          type: 'string',
          presence: 'explicit',
          schema: { default: 'a', enum: ['a', 'b'] },
        },
        { ...plain, number: 3, name: 'rest', type: 'meta.Rest', shape: 'map', schema: { mapType: 'atomic' } },
        { ...plain, number: 4, name: 'source', type: 'Source', isInlined: true },
        {
          ...plain,
          number: 5,
          name: 'items',
          type: 'Item',
          shape: 'list',
          schema: {
            listType: 'map',
            listMapKeys: ['name'],
            patchStrategy: 'merge,retainKeys',
            patchMergeKey: 'name',
          },
        },
        {
          ...plain,
          number: 6,
          name: 'names',
          type: 'string',
          shape: 'list',
          schema: { listType: 'set', patchStrategy: 'merge' },
        },
      ],
    })
  })

  it('has a special form in JSON', () => {
    expect(parseMessage('Time', 'Time as time\n  1 seconds: int64', full)).toMatchObject({
      form: 'time',
      isAtomic: false,
    })
  })

  it.each(['  1 name', '  name: string', '1 name: string', '  1 name: string (required'])('refuses "%s"', (line) => {
    expect(() => parseMessage('Bad', `Bad\n${line}`, full)).toThrow(`not a field: "${line}"`)
  })
})

function membersOf(type: string): readonly string[] {
  const fields = findMessage(type)?.fields ?? []
  return fields.flatMap((each) => (each.isInlined ? membersOf(each.type) : [each.name]))
}
