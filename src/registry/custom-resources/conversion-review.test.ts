import { expect, it } from 'vitest'
import { conversionRequest, readConverted } from './conversion-review.ts'

const object = {
  apiVersion: 'e.com/v1',
  kind: 'Shop',
  metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7', labels: { old: 'yes' }, finalizers: ['f'] },
}
const converted = { ...object, apiVersion: 'e.com/v2', spec: { size: 1 } }
const conversion = {
  uid: 'q1',
  reviewVersion: 'v1',
  desired: { group: 'e.com', version: 'v2' },
  objects: [object],
} as const
const type = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' }
const success = { status: 'Success' }

function read(body: unknown, status = 200) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readConverted({ status, headers: {}, body: Buffer.from(text) }, conversion)
}

const answered = (convertedObjects: unknown, result: object = success) => ({
  ...type,
  response: { uid: 'q1', result, convertedObjects },
})

const withMetadata = (metadata: object) => answered([{ ...converted, metadata: { ...object.metadata, ...metadata } }])

it('the request names the desired version', () => {
  const { kind, request } = JSON.parse(conversionRequest(conversion))
  expect([kind, request.uid, request.desiredAPIVersion]).toEqual(['ConversionReview', 'q1', 'e.com/v2'])
})

it('a webhook can change only labels and annotations of the metadata', () => {
  const metadata = { ...object.metadata, labels: { new: 'yes' }, resourceVersion: '99', finalizers: [] }
  expect(read(answered([{ ...converted, metadata }]))).toEqual([
    { ...converted, metadata: { ...object.metadata, labels: { new: 'yes' } } },
  ])
})

it.each<[string, unknown, string]>([
  ['no JSON', '<html>', "couldn't get version/kind; json parse error: "],
  ['nothing', '', '0-length response with status code: 200 and content type: application/json'],
  ['no review', { kind: 'Pod' }, 'expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview'],
  ['no response', type, 'no response provided'],
  ['the answer to another question', { ...type, response: { uid: 'q2' } }, 'expected response.uid="q1", got "q2"'],
  ['a failure', answered([], { status: 'Failed', message: 'too old' }), 'too old'],
  ['a failure without words', answered([], { status: 'Failed' }), "response.result.status was 'Failed', not 'Success'"],
  ['too few objects', answered([]), 'returned 0 objects, expected 1'],
  ['no objects', answered([7]), 'returned invalid object at index 0: it is int64'],
  [
    'another version',
    answered([object]),
    'returned invalid object at index 0: invalid groupVersion (expected e.com/v2, received e.com/v1)',
  ],
  [
    'another kind',
    answered([{ ...converted, kind: 'Pod' }]),
    'returned invalid object at index 0: invalid kind (expected Shop, received Pod)',
  ],
  ['another name', withMetadata({ name: 'z' }), 'returned invalid object: must have the same name: a != z'],
  ['no metadata', withMetadata({ name: undefined }), 'returned invalid object: must have the same name: a != '],
  [
    'another namespace',
    withMetadata({ namespace: 'z' }),
    'returned invalid object: must have the same namespace: n != z',
  ],
  ['another object', withMetadata({ uid: 'x' }), 'returned invalid object: must have the same UID: u != x'],
  [
    'a label that is not text',
    withMetadata({ labels: { a: 5 } }),
    'returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object',
  ],
  [
    'labels that are not a map',
    withMetadata({ labels: 'x' }),
    'returned invalid metadata: invalid metadata.labels of type string in converted object',
  ],
  [
    'an invalid label',
    withMetadata({ labels: { 'a b': 'c' } }),
    'returned invalid metadata: metadata.labels: Invalid value: "a b": name part must consist of',
  ],
  [
    'invalid labels',
    withMetadata({ labels: { 'a b': '!' } }),
    'returned invalid metadata: [metadata.labels: Invalid value: "a b": name part must consist of',
  ],
  ['more than is read', answered([Array.from({ length: 300_000 }, () => 0)]), 'there are more than 75000 values in it'],
])('%s is refused', (_, body, problem) => {
  expect(() => read(body)).toThrow(problem)
})

it('of several objects, the message names the wrong one', () => {
  const several = { ...conversion, objects: [object, object] }
  const answer = (second: object) => {
    const body = Buffer.from(JSON.stringify(answered([converted, second])))
    return () => readConverted({ status: 200, headers: {}, body }, several)
  }
  const named = (metadata: object) => ({ ...converted, metadata: { ...object.metadata, ...metadata } })
  expect(answer(object)).toThrow('returned invalid converted object at index 1: invalid groupVersion')
  expect(answer(named({ name: 'z' }))).toThrow('returned invalid converted object at index 1: must have the same name')
  expect(answer(named({ labels: { a: 5 } }))).toThrow(
    'returned invalid metadata in object at index 1: metadata.labels[a]',
  )
})

it('the error of a server is part of the message', () => {
  expect(() => read('x', 500)).toThrow('an error on the server ("x") has prevented the request from succeeding')
})
