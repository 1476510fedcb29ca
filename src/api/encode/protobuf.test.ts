import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeProtobuf } from '../decode/protobuf.ts'
import { type FieldPlan, messagePlan } from '../decode/protobuf-plan.ts'
import { messageNamed, messageNames } from '../facts/messages.ts'
import { protobufItem, protobufList, protobufObject, protobufValue } from './protobuf.ts'

const core = 'k8s.io.api.core.v1'
const type = { apiVersion: 'v1', kind: 'ConfigMap' }

/** What a client reads. */
function read(message: string, object: object): unknown {
  const bytes = protobufObject({ apiVersion: '', kind: '' }, message, { ...object })
  return decodeProtobuf(bytes, { kind: 'Anything', protobufMessage: message }).value
}

describe('an object in protobuf', () => {
  it('begins with what it is', () => {
    const bytes = protobufObject(type, `${core}.ConfigMap`, { metadata: { name: 'a' } })
    expect(Buffer.from(bytes).toString('latin1')).toBe(
      'k8s\0\x0a\x0f\x0a\x02v1\x12\x09ConfigMap\x12\x05\x0a\x03\x0a\x01a\x1a\0\x22\0',
    )
  })

  it.each([
    ['Secret', { data: { a: 'AP8B', empty: '' } }],
    ['Secret', { immutable: false }],
    [
      'Service',
      {
        spec: {
          ports: [
            { port: 80, targetPort: 'web' },
            { port: 81, targetPort: 8080 },
          ],
        },
      },
    ],
    ['Event', { eventTime: '2026-01-02T03:04:05.000006Z', lastTimestamp: '2026-01-02T03:04:05Z' }],
    ['Event', { eventTime: '1969-12-31T23:59:59.999999Z', lastTimestamp: '0001-01-02T00:00:00Z' }],
    ['PersistentVolume', { spec: { capacity: { storage: '1.5Gi' }, hostPath: { path: '/x' } } }],
    ['Pod', { spec: { volumes: [{ name: 'v', emptyDir: {} }], containers: [{ name: 'c', resources: {} }] } }],
    ['Pod', { spec: { priority: -2147483648, activeDeadlineSeconds: Number.MAX_SAFE_INTEGER } }],
  ])('%s contains all of %j', (kind, object) => {
    expect(read(`${core}.${kind}`, object)).toMatchObject(object)
  })

  it('omits absent, null and unknown fields', () => {
    const object = { metadata: { creationTimestamp: null, name: 'a' }, data: null, surprise: 1 }
    expect(read(`${core}.ConfigMap`, object)).toEqual({ metadata: { name: 'a' } })
  })

  it('is valid UTF-8 whatever the text', () => {
    const halved = { data: { 'a\udc00': 'b\ud800', long: `${'x'.repeat(50)}\ud83d` } }
    expect(read(`${core}.ConfigMap`, halved)).toEqual({
      data: { 'a\ufffd': 'b\ufffd', long: `${'x'.repeat(50)}\ufffd` },
    })
    expect(read(`${core}.ConfigMap`, { data: { a: '😀é' } })).toEqual({ data: { a: '😀é' } })
  })

  it('keeps the schemas of custom resources, and JSON of all sorts in them', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { enum: [null, 1, 'x', { y: [] }], default: { z: 0.5 }, 'x-kubernetes-list-type': 'set' },
        b: { items: { type: 'string' }, additionalProperties: false },
        c: { items: [{ type: 'string' }], additionalProperties: { type: 'integer' }, minimum: -0.25 },
        d: { dependencies: { p: ['q'], r: { type: 'string' } } },
      },
    }
    const message = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'
    expect(read(message, schema)).toEqual(schema)
  })
})

describe('a message of any type', () => {
  it('is read as it was written', () => {
    for (const message of messageNames()) {
      if (messageNamed(message).form !== undefined) continue
      fc.assert(
        fc.property(objectOf(message, 1), (object) => {
          expect(read(message, object)).toEqual(object)
        }),
        { numRuns: 3 },
      )
    }
  })
})

type Fields = Readonly<Record<string, unknown>>

const made = new Map<string, fc.Arbitrary<Fields>>()

function objectOf(message: string, depth: number): fc.Arbitrary<Fields> {
  const known = made.get(`${message} ${depth}`) ?? newObjectOf(message, depth)
  made.set(`${message} ${depth}`, known)
  return known
}

function newObjectOf(message: string, depth: number): fc.Arbitrary<Fields> {
  const fields = [...(messagePlan(message) ?? new Map<number, FieldPlan>()).values()]
  const own = fields.filter(({ isInlined }) => !isInlined).map((field) => [field.name, fieldValue(field, depth)])
  const inlined = fields.flatMap(({ isInlined, type: inner }) =>
    isInlined && inner.kind === 'message' ? [objectOf(inner.message, depth)] : [],
  )
  const parts = [...inlined, fc.record(Object.fromEntries(own), { requiredKeys: [] })]
  return fc.tuple(...parts).map((each) => Object.assign({}, ...each))
}

function fieldValue({ shape, type: inner }: FieldPlan, depth: number): fc.Arbitrary<unknown> {
  const value = inner.kind === 'message' && depth === 0 ? undefined : anyValue(inner, depth)
  if (value === undefined) return fc.constant(undefined)
  if (shape === 'list') return fc.array(value, { minLength: 1, maxLength: 2 })
  return shape === 'map' ? fc.dictionary(key, value, { minKeys: 1, maxKeys: 2 }) : value
}

const key = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' }).filter((text) => text !== '__proto__')

/** Excludes values that protobuf omits, such as zero. */
function anyValue(inner: FieldPlan['type'], depth: number): fc.Arbitrary<unknown> {
  switch (inner.kind) {
    case 'string':
      return fc.string({ minLength: 1, maxLength: 60, unit: 'binary' })
    case 'bool':
      return fc.constant(true)
    case 'int32':
      return fc.integer().filter((number) => number !== 0)
    case 'int64':
      return fc.maxSafeInteger().filter((number) => number !== 0)
    case 'double':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => number !== 0)
    case 'bytes':
      return fc.uint8Array({ minLength: 1, maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'))
    case 'message':
      return inner.form === undefined ? objectOf(inner.message, depth - 1) : formValue(inner.form)
  }
}

const moment = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString())

function formValue(form: NonNullable<Extract<FieldPlan['type'], { kind: 'message' }>['form']>): fc.Arbitrary<unknown> {
  switch (form) {
    case 'time':
      return moment.map((text) => `${text.slice(0, 19)}Z`)
    case 'micro-time':
      return moment.map((text) => `${text.slice(0, 23)}123Z`)
    case 'quantity':
      return fc.constantFrom('1', '250m', '1.5Gi')
    case 'int-or-string':
      return fc.oneof(fc.integer(), fc.string())
    case 'bare-list':
      return fc.array(fc.string(), { minLength: 1 })
    case 'raw-json':
      return fc.dictionary(key, fc.constantFrom(null, 1, 'x', [true]))
    case 'schema-or-list':
      return fc.constantFrom({ type: 'string' }, [{ type: 'string' }])
    case 'schema-or-boolean':
      return fc.constantFrom({ type: 'string' }, true, false)
    case 'schema-or-strings':
      return fc.constantFrom({ type: 'string' }, ['a', 'b'])
  }
}

describe('a list in protobuf', () => {
  it('has its metadata and its items where every list has them', () => {
    const lists = messageNames().filter(
      (name) => /List$/.test(name) && messageNamed(name.slice(0, -4)).form === undefined,
    )
    const places = lists.flatMap((name) =>
      messageNamed(name)
        .fields.filter((field) => field.name === 'metadata' || field.name === 'items')
        .map((field) => `${field.name} ${field.number}`),
    )
    expect(new Set(places)).toEqual(new Set(['metadata 1', 'items 2']))
  })

  it('is put together from items that were encoded one by one', () => {
    const items = ['a', 'b'].map((name) => protobufItem(`${core}.ConfigMap`, { metadata: { name } }))
    const list = { apiVersion: 'v1', kind: 'ConfigMapList' }
    const metadata = { resourceVersion: '7', continue: 'next', remainingItemCount: 0 }
    const { opening, closing } = protobufList(list, metadata, Buffer.concat(items).length)
    expect(decodeProtobuf(Buffer.concat([opening, ...items, closing]), { kind: 'ConfigMapList' }).value).toEqual({
      ...list,
      metadata,
      items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
    })
  })
})

describe('an answer with its type', () => {
  it.each([
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', details: { causes: [{ field: 'spec' }] }, code: 422 },
    { kind: 'APIVersions', versions: ['v1'] },
    { kind: 'APIGroup', apiVersion: 'v1', name: 'apps', versions: [{ groupVersion: 'apps/v1', version: 'v1' }] },
    { kind: 'APIResourceList', groupVersion: 'v1', resources: [{ name: 'pods', verbs: ['get'], kind: 'Pod' }] },
    { kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 3 } },
    { kind: 'APIService', apiVersion: 'apiregistration.k8s.io/v1', spec: { groupPriorityMinimum: 5 } },
  ])('$kind is one', (value) => {
    expect(decodeProtobuf(protobufValue(value), { kind: 'Anything' }).value).toMatchObject(value)
  })

  it('must be of a kind that has a form in protobuf', () => {
    expect(() => protobufValue({ kind: 'Widget', apiVersion: 'example.com/v1' })).toThrow(
      'No protobuf message is known',
    )
  })
})
