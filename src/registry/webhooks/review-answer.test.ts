import { describe, expect, it } from 'vitest'
import { deniedBy } from './denial.ts'
import { readAnswer } from './review-answer.ts'

const expected = { type: 'mutating', reviewVersion: 'v1', uid: 'u1' } as const
const type = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

function read(body: unknown, about: Partial<Parameters<typeof readAnswer>[1]> = {}, status = 200) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' }
  return readAnswer({ status, headers, body: Buffer.from(text) }, { ...expected, ...about })
}

describe('the answer of a webhook', () => {
  it('is read with its warnings and its patch', () => {
    const response = { uid: 'u1', allowed: true, warnings: ['w'], patchType: 'JSONPatch', patch: base64('[]') }
    expect(read({ ...type, response })).toEqual({
      isAllowed: true,
      status: {},
      warnings: ['w'],
      annotations: [],
      patch: '[]',
      patchType: 'JSONPatch',
    })
  })

  it.each<[string, unknown, string]>([
    ['is empty', {}, 'received invalid webhook response: webhook response was absent'],
    [
      'has no length',
      '',
      'failed to call webhook: 0-length response with status code: 200 and content type: text/plain',
    ],
    [
      'says nothing of its type',
      { response: { uid: 'u1', allowed: true } },
      'received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
    ],
    [
      'is of another version',
      { ...type, apiVersion: 'admission.k8s.io/v1beta1', response: { uid: 'u1', allowed: true } },
      'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      'is another object',
      { apiVersion: 'v1', kind: 'Pod' },
      'failed to call webhook: no kind "Pod" is registered for version "v1"',
    ],
    [
      'is that to another question',
      { ...type, response: { uid: 'u2', allowed: true } },
      'received invalid webhook response: expected response.uid="u1", got "u2"',
    ],
    [
      'has a patch of no type',
      { ...type, response: { uid: 'u1', allowed: true, patch: base64('[]') } },
      'received invalid webhook response: webhook returned response.patch but not response.patchType',
    ],
    [
      'has a type and no patch',
      { ...type, response: { uid: 'u1', allowed: true, patchType: 'JSONPatch' } },
      'received invalid webhook response: webhook returned response.patchType but not response.patch',
    ],
    ['is a list', [1], "failed to call webhook: couldn't get version/kind; json parse error: it is not an object"],
    [
      'is nested without end',
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      "failed to call webhook: couldn't get version/kind; json parse error: exceeded max depth",
    ],
    [
      'holds more than any needs',
      `[${'0,'.repeat(50_000)}0]`,
      "failed to call webhook: couldn't get version/kind; json parse error: there are more than 25000 values in it",
    ],
  ])('is invalid if it %s', (_, body, message) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ name: 'WebhookFailure', message }))
  })

  it.each([
    [403, 'keep out', 'keep out'],
    [404, 'x', 'the server could not find the requested resource'],
    [302, 'x', 'the server responded with the status code 302 but did not return more information'],
    [500, ' boom\n', 'an error on the server ("boom") has prevented the request from succeeding'],
    [503, 'x', 'the server is currently unable to handle the request'],
  ])('with the status %s is a failure', (status, body, message) => {
    expect(() => read(body, {}, status)).toThrow(`failed to call webhook: ${message}`)
  })

  it('of a validating webhook cannot have a patch', () => {
    const response = { uid: 'u1', allowed: true, patch: base64('[]'), patchType: 'JSONPatch' }
    const problem = 'received invalid webhook response: validating webhook may not return response.patch'
    expect(() => read({ ...type, response }, { type: 'validating' })).toThrow(problem)
  })

  it('to an older review version needs no uid', () => {
    const review = { ...type, apiVersion: 'admission.k8s.io/v1beta1', response: { allowed: true } }
    expect(read(review, { reviewVersion: 'v1beta1' }).isAllowed).toBe(true)
  })

  it('must allow explicitly', () => {
    expect(read({ ...type, response: { uid: 'u1' } }).isAllowed).toBe(false)
  })

  it.each<[object, string]>([
    [{ allowed: 'true' }, 'string into Go struct field AdmissionResponse.response.allowed of type bool'],
    [{ allowed: 1 }, 'number into Go struct field AdmissionResponse.response.allowed of type bool'],
    [{ uid: 5 }, 'number into Go struct field AdmissionResponse.response.uid of type types.UID'],
    [{ status: 'x' }, 'string into Go struct field AdmissionResponse.response.status of type v1.Status'],
    [{ status: { code: '5' } }, 'string into Go struct field Status.response.status.code of type int32'],
    [{ status: { message: 5 } }, 'number into Go struct field Status.response.status.message of type string'],
    [{ status: { reason: [] } }, 'array into Go struct field Status.response.status.reason of type v1.StatusReason'],
    [
      { status: { details: 'x' } },
      'string into Go struct field Status.response.status.details of type v1.StatusDetails',
    ],
    [
      { status: { details: { causes: 'x' } } },
      'string into Go struct field StatusDetails.response.status.details.causes of type []v1.StatusCause',
    ],
    [{ warnings: 'x' }, 'string into Go struct field AdmissionResponse.response.warnings of type []string'],
    [{ warnings: [1] }, 'number into Go struct field AdmissionResponse.response.warnings of type string'],
    [
      { auditAnnotations: 'x' },
      'string into Go struct field AdmissionResponse.response.auditAnnotations of type map[string]string',
    ],
    [
      { auditAnnotations: { a: 1 } },
      'number into Go struct field AdmissionResponse.response.auditAnnotations of type string',
    ],
    [{ patch: {} }, 'object into Go struct field AdmissionResponse.response.patch of type []uint8'],
    [{ patchType: 5 }, 'number into Go struct field AdmissionResponse.response.patchType of type v1.PatchType'],
  ])('with a member of the wrong type is a failure: %j', (wrong, problem) => {
    const response = { uid: 'u1', allowed: true, ...wrong }
    expect(() => read({ ...type, response })).toThrow(`failed to call webhook: json: cannot unmarshal ${problem}`)
  })

  it('with a response that is not an object is a failure', () => {
    const problem =
      'json: cannot unmarshal string into Go struct field AdmissionReview.response of type v1.AdmissionResponse'
    expect(() => read({ ...type, response: 'x' })).toThrow(`failed to call webhook: ${problem}`)
  })

  it('with a patch that is not base64 is a failure', () => {
    const response = { uid: 'u1', allowed: true, patch: '!!!!', patchType: 'JSONPatch' }
    expect(() => read({ ...type, response })).toThrow('failed to call webhook: illegal base64 data at input byte 0')
  })

  it('may tell an error by a Status', () => {
    const told = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'the certificate has expired',
      code: 400,
    }
    expect(() => read(told, {}, 400)).toThrow('failed to call webhook: the certificate has expired')
  })

  it('may have a limited number of warnings', () => {
    const warnings = ['x'.repeat(10_000), ...Array.from({ length: 1_000 }, (_, index) => `w${index}`)]
    const told = read({ ...type, response: { uid: 'u1', allowed: true, warnings } }).warnings
    expect([told.length, told[0]?.length]).toEqual([50, 4_096])
  })
})

describe('the audit annotations of a webhook', () => {
  it('have limits', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 'v']))
    const auditAnnotations = { long: 'x'.repeat(10_000), ...many }
    const { annotations } = read({ ...type, response: { uid: 'u1', allowed: true, auditAnnotations } })
    expect(annotations).toHaveLength(50)
    expect(annotations[0]).toEqual(['long', 'x'.repeat(4_096)])
  })

  it('may be null', () => {
    expect(read({ ...type, response: { uid: 'u1', allowed: true, auditAnnotations: null } }).annotations).toEqual([])
  })
})

describe('a refusal by a webhook', () => {
  it.each<[Record<string, unknown>, number, string]>([
    [{}, 400, 'admission webhook "w" denied the request without explanation'],
    [{ message: 'no', code: 403 }, 403, 'admission webhook "w" denied the request: no'],
    [{ reason: 'Forbidden' }, 400, 'admission webhook "w" denied the request: Forbidden'],
    [{ message: 'no', code: 200 }, 400, 'admission webhook "w" denied the request: no'],
    [{ message: 'no', code: 70_000 }, 400, 'admission webhook "w" denied the request: no'],
    [{ message: 7, code: '403' }, 400, 'admission webhook "w" denied the request without explanation'],
  ])('%j is reported', (said, code, message) => {
    expect(deniedBy('w', said).status).toMatchObject({ status: 'Failure', code, message })
  })

  it('keeps the details of the cause, up to a limit', () => {
    const causes = [{ message: 'x'.repeat(20_000), field: 'spec', other: 1 }, 'no cause']
    const { details } = deniedBy('w', { details: { name: 'n', causes, retryAfterSeconds: 1e9, x: 1 } }).status
    expect(details).toEqual({
      name: 'n',
      causes: [{ message: 'x'.repeat(10_000), field: 'spec' }],
      retryAfterSeconds: 3_600,
    })
  })
})
