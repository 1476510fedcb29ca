import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeProtobuf } from '../../src/api/decode/protobuf.ts'
import { ApiError } from '../../src/api/error.ts'

interface Recorded {
  readonly method: string
  readonly path: string
  readonly bodyBase64: string
  readonly responseJson: Readonly<Record<string, unknown>>
}

/** Bodies that kubectl 1.32 and client-go 0.32 sent, and how a real server decoded them. */
const recorded = readFileSync(new URL('./data/protobuf-requests.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Recorded => JSON.parse(line))

const creations = recorded.filter(({ method }) => method === 'POST')

function decode(bytes: Uint8Array) {
  return decodeProtobuf(bytes, { kind: 'Anything' }).value
}

function members(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(value)))
}

/** The body of a client, without what only a server fills in: empty parts, and the echo of a rules review. */
function sent({ bodyBase64 }: Recorded): Record<string, unknown> {
  const { status: _status, ...rest } = members(decode(Buffer.from(bodyBase64, 'base64')))
  return rest.kind === 'SelfSubjectRulesReview' ? { ...rest, spec: {} } : rest
}

describe('a recorded protobuf request', () => {
  it('covers the kinds that clients create through typed APIs', () => {
    expect(new Set(creations.map((each) => sent(each).kind)).size).toBeGreaterThanOrEqual(14)
  })

  it.each(creations)('$path gives the recorded answer', (each) => {
    expect(each.responseJson).toMatchObject(sent(each))
  })

  it.each([
    ['/api/v1/namespaces/default/configmaps/go1', { data: { a: 'c' } }],
    [
      '/apis/coordination.k8s.io/v1/namespaces/default/leases/gole',
      { spec: { holderIdentity: 'me', leaseDurationSeconds: 3 } },
    ],
  ])('PUT %s keeps identity, history and content', (path, content) => {
    const update = recorded.find((each) => each.method === 'PUT' && each.path === path)
    if (update === undefined) throw new Error('The recording is gone.')
    const { uid, name, creationTimestamp } = members(update.responseJson.metadata)
    expect(sent(update)).toMatchObject({
      metadata: { uid, name, creationTimestamp, resourceVersion: expect.stringMatching(/^\d+$/) },
      ...content,
    })
    expect(members(sent(update).metadata).managedFields).toMatchObject([
      {
        manager: 'zzprobe',
        operation: 'Update',
        fieldsType: 'FieldsV1',
        fieldsV1: expect.any(Object),
        time: creationTimestamp,
      },
    ])
  })

  it('distinguishes a grace period of zero from none', () => {
    const deletions = recorded.filter(({ method }) => method === 'DELETE').map(sent)
    expect(deletions).toEqual([
      { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 },
      { apiVersion: 'v1', kind: 'DeleteOptions' },
    ])
  })

  it('keeps microseconds and bytes exactly', () => {
    const lease = creations.find(({ path }) => path.endsWith('/leases'))
    const spec = members(lease === undefined ? {} : sent(lease).spec)
    expect(spec.renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    const binary = creations.map(sent).find(({ binaryData }) => binaryData !== undefined)
    expect(binary?.binaryData).toEqual({ 'bin.dat': 'AP8B' })
  })
})

describe('invalid bytes', () => {
  it.each([
    ['nothing', []],
    ['another format', [...Buffer.from('{"kind":"x"}')]],
    ['a body cut short', [0x6b, 0x38, 0x73, 0x00, 0x0a, 0xff]],
  ])('%s are refused cleanly', (_title, bytes) => {
    expect(() => decode(Uint8Array.from(bytes))).toThrow(ApiError)
  })

  it('are refused at most, however a real body is damaged', () => {
    const bodies = recorded.map(({ bodyBase64 }) => Buffer.from(bodyBase64, 'base64'))
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.constantFrom(...bodies), damage, fc.nat(), (body, changes, cut) => {
        const damaged = Uint8Array.from(body.subarray(0, body.length - (cut % 10)))
        for (const [at, byte] of changes) damaged[4 + (at % (damaged.length - 4))] = byte
        expectRefusalOrValue(damaged)
      }),
      { numRuns: 3000 },
    )
  })

  it('are refused at most when they are random', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('ConfigMap', 'Pod', 'Service', 'Node'),
        fc.uint8Array({ maxLength: 200 }),
        (kind, raw) => {
          const typeMeta = [0x0a, 2, 0x76, 0x31, 0x12, kind.length, ...Buffer.from(kind)]
          const length = [(raw.length & 0x7f) | 0x80, raw.length >> 7]
          expectRefusalOrValue(
            Uint8Array.from([0x6b, 0x38, 0x73, 0, 0x0a, typeMeta.length, ...typeMeta, 0x12, ...length, ...raw]),
          )
        },
      ),
      { numRuns: 3000 },
    )
  })
})

function expectRefusalOrValue(bytes: Uint8Array): void {
  try {
    expect(JSON.stringify(decode(bytes))).toBeTypeOf('string')
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
  }
}
