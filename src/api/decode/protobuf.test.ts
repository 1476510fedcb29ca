import protobuf from 'protobufjs/minimal.js'
import { expect, it } from 'vitest'
import { protobufObject } from '../encode/protobuf.ts'
import { decodeProtobuf } from './protobuf.ts'
import { protobufMagic } from './protobuf-wire.ts'

type Fields = readonly (readonly [number: number, value: Uint8Array])[]

/** Length-delimited fields, one after the other. */
function fields(all: Fields): Uint8Array {
  const writer = protobuf.Writer.create()
  for (const [number, value] of all) writer.uint32((number << 3) | 2).bytes(value)
  return writer.finish()
}

function body(all: Fields): Uint8Array {
  return Buffer.concat([protobufMagic, fields(all)])
}

const many = <Value>(count: number, value: Value): Value[] => new Array<Value>(count).fill(value)
const nothing = new Uint8Array(0)
const configMap = fields([
  [1, Buffer.from('v1')],
  [2, Buffer.from('ConfigMap')],
])

/** The fields of a manager are JSON inside the message: this many members. */
function managed(members: number): readonly [number, Uint8Array] {
  const owned = Array.from({ length: members }, (_, index) => `"f:k${index}":{}`)
  const entry = fields([
    [1, Buffer.from('m')],
    [2, Buffer.from('Update')],
    [7, fields([[1, Buffer.from(`{${owned.join()}}`)]])],
  ])
  return [17, entry]
}

const withManagers = (...entries: Fields) =>
  body([
    [1, configMap],
    [2, fields([[1, fields(entries)]])],
  ])

it('of a few managers is read', () => {
  const { value } = decodeProtobuf(withManagers(managed(2)), { kind: 'ConfigMap' })
  expect(value).toMatchObject({ metadata: { managedFields: [{ fieldsV1: { 'f:k0': {}, 'f:k1': {} } }] } })
})

it.each([
  ['fields that are not known', body(many(30_000, [9, nothing] as const))],
  ['names of a kind', body([[1, fields(many(30_000, [1, nothing] as const))]])],
  ['values in the JSON of several fields', withManagers(...many(4, managed(5_000)))],
])('of tens of thousands of %s is too large', (_, bytes) => {
  expect(() => decodeProtobuf(bytes, { kind: 'ConfigMap' })).toThrow('there are more than 25000 values in it')
})

it('a version that is no longer served is decoded with the message of the served version', () => {
  const message = 'k8s.io.api.policy.v1.Eviction'
  const type = { apiVersion: 'policy/v1beta1', kind: 'Eviction' }
  const content = { metadata: { name: 'web' }, deleteOptions: { gracePeriodSeconds: 0 } }
  const bytes = protobufObject(type, message, content)
  const expected = { kind: 'Eviction', protobufMessage: message, olderVersions: ['policy/v1beta1'] }
  expect(decodeProtobuf(bytes, expected).value).toEqual({ ...type, ...content })
  expect(() => decodeProtobuf(bytes, { ...expected, kind: 'Binding' })).toThrow('no kind "Eviction" is registered')
  expect(() => decodeProtobuf(bytes, { ...expected, olderVersions: [] })).toThrow('no kind "Eviction" is registered')
})
