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

it('the request names the desired version', () => {
  const { kind, request } = JSON.parse(conversionRequest(conversion))
  expect([kind, request.uid, request.desiredAPIVersion]).toEqual(['ConversionReview', 'q1', 'e.com/v2'])
})

it('a webhook can change only labels and annotations of the metadata', () => {
  const metadata = { ...object.metadata, labels: { new: 'yes', bad: 7 }, resourceVersion: '99', finalizers: [] }
  expect(read(answered([{ ...converted, metadata }]))).toEqual([
    { ...converted, metadata: { ...object.metadata, labels: { new: 'yes' } } },
  ])
})

it.each<[string, unknown, string]>([
  ['no JSON', '<html>', 'its answer is not a JSON object'],
  ['no review', { kind: 'Pod' }, 'expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview'],
  ['no response', type, 'no response provided'],
  ['the answer to another question', { ...type, response: { uid: 'q2' } }, 'expected response.uid="q1", got "q2"'],
  ['a failure', answered([], { status: 'Failed', message: 'too old' }), 'too old'],
  ['a failure without words', answered([], { status: 'Failed' }), "response.result.status was 'Failed'"],
  ['too few objects', answered([]), 'it returned 0 objects, expected 1'],
  ['no objects', answered([7]), 'at index 0: it has no metadata'],
  ['another version', answered([object]), 'invalid groupVersion (expected e.com/v2, received e.com/v1)'],
  ['another kind', answered([{ ...converted, kind: 'Pod' }]), 'invalid kind (expected Shop, received Pod)'],
  [
    'another object',
    answered([{ ...converted, metadata: { ...object.metadata, uid: 'x' } }]),
    'invalid metadata: must have the same uid',
  ],
  ['more than is read', answered([Array.from({ length: 300_000 }, () => 0)]), 'there are more than 75000 values in it'],
])('%s is refused', (_, body, problem) => {
  expect(() => read(body)).toThrow(problem)
})

it('the error of a server is part of the message', () => {
  expect(() => read('x', 500)).toThrow('an error on the server ("x") has prevented the request from succeeding')
})
