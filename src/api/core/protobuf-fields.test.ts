import { describe, expect, it } from 'vitest'
import { protobufFields, protobufMessages, shortMessageName } from './protobuf-fields.ts'
import { inlinedFields, renamedFields, specialForms } from './protobuf-names.ts'

const scalars = new Set(['string', 'bool', 'int32', 'int64', 'double', 'bytes'])

function field(message: string, name: string) {
  return protobufFields(message)?.find((each) => each.name === name)
}

describe('the protobuf table', () => {
  it('knows every message that a field refers to', () => {
    const messages = new Set(protobufMessages())
    const unknown = [...messages].flatMap((message) =>
      (protobufFields(message) ?? []).filter((each) => !scalars.has(each.type) && !messages.has(each.type)),
    )
    expect(unknown).toEqual([])
    expect(messages.size).toBe(275)
  })

  it.each([
    [
      'k8s.io.api.core.v1.ServicePort',
      'targetPort',
      4,
      'k8s.io.apimachinery.pkg.util.intstr.IntOrString',
      'single',
      'always',
    ],
    ['k8s.io.api.core.v1.Secret', 'data', 2, 'bytes', 'map', 'optional'],
    ['k8s.io.api.core.v1.Secret', 'immutable', 5, 'bool', 'single', 'explicit'],
    ['k8s.io.api.rbac.v1.PolicyRule', 'verbs', 1, 'string', 'list', 'always'],
    ['k8s.io.api.core.v1.Event', 'eventTime', 10, 'k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime', 'single', 'always'],
  ])('reads %s.%s', (message, name, number, type, shape, presence) => {
    expect(field(message, name)).toEqual({ number, name, type, shape, presence })
  })

  it('gives every field of a message a number of its own', () => {
    for (const message of protobufMessages()) {
      const numbers = (protobufFields(message) ?? []).map((each) => each.number)
      expect(new Set(numbers).size, message).toBe(numbers.length)
    }
  })

  it('has nothing to say about messages that it does not hold', () => {
    expect(protobufFields('k8s.io.api.core.v1.Nosuch')).toBeUndefined()
    expect(protobufFields('__proto__')).toBeUndefined()
    expect(shortMessageName('k8s.io.api.core.v1.Pod')).toBe('core.Pod')
  })
})

describe('the differences between protobuf and JSON', () => {
  it('speak of fields that exist', () => {
    for (const path of [...inlinedFields, ...renamedFields.keys()]) {
      const dot = path.lastIndexOf('.')
      expect(field(path.slice(0, dot), path.slice(dot + 1)), path).toBeDefined()
    }
    for (const message of specialForms.keys()) expect(protobufFields(message), message).toBeDefined()
  })
})
