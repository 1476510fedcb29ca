import { describe, expect, it } from 'vitest'
import { conversionErrors } from '../custom/definition/definition-conversion.ts'
import type { MutatingWebhook, ValidatingWebhook } from '../types/admissionregistration-v1.ts'
import { validateWebhooks } from './webhook-validation.ts'

function webhook(index: number, change: Partial<MutatingWebhook> = {}): ValidatingWebhook {
  return {
    name: `w${index}.example.com`,
    clientConfig: { url: 'https://example.com/' },
    sideEffects: 'None',
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    admissionReviewVersions: ['v1'],
    ...change,
  }
}

const messagesOf = (webhooks: readonly ValidatingWebhook[]) =>
  validateWebhooks('webhooks', webhooks).map(({ field, message }) => `${field}: ${message}`)

describe('a configuration of webhooks', () => {
  it('has at most 100 webhooks', () => {
    const many = Array.from({ length: 101 }, (_, index) => webhook(index))
    expect(messagesOf(many)).toEqual(['webhooks: Too many: 101: must have at most 100 items'])
    expect(messagesOf(many.slice(1))).toEqual([])
  })

  it('has one compile budget for the conditions of all its webhooks', () => {
    const expression = Array.from({ length: 400 }, () => 'object.a == 1').join(' && ')
    const matchConditions = [{ name: 'long', expression }]
    expect(messagesOf([webhook(0, { matchConditions })])).toEqual([])
    const errors = messagesOf(Array.from({ length: 50 }, (_, index) => webhook(index, { matchConditions })))
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.at(-1)).toContain('too many or too large to be compiled')
  })

  it('has a limit for the CA bundle', () => {
    const clientConfig = { url: 'https://example.com/', caBundle: 'A'.repeat(200_000) }
    expect(messagesOf([webhook(0, { clientConfig })])).toEqual([expect.stringContaining('caBundle: Too long')])
  })
})

describe('a webhook', () => {
  it.each<[Partial<MutatingWebhook>, string[]]>([
    [{ failurePolicy: '' }, ['webhooks[0].failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"']],
    [{ matchPolicy: '' }, ['webhooks[0].matchPolicy: Unsupported value: "": supported values: "Equivalent", "Exact"']],
    [{ sideEffects: '' }, ['webhooks[0].sideEffects: Unsupported value: "": supported values: "None", "NoneOnDryRun"']],
    [
      { reinvocationPolicy: 'Twice' },
      ['webhooks[0].reinvocationPolicy: Unsupported value: "Twice": supported values: "IfNeeded", "Never"'],
    ],
    [
      { admissionReviewVersions: ['v1', 'v1'] },
      ['webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version'],
    ],
    [
      { admissionReviewVersions: ['v2', 'V'] },
      [
        expect.stringContaining('webhooks[0].admissionReviewVersions[1]: Invalid value: "V": a DNS-1035 label must'),
        'webhooks[0].admissionReviewVersions: Invalid value: []string{"v2", "V"}: must include at least one of v1, v1beta1',
      ],
    ],
    [
      { admissionReviewVersions: [] },
      ['webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    ],
    [
      { clientConfig: { url: 'x' } },
      [
        `webhooks[0].clientConfig.url: Invalid value: "": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
        'webhooks[0].clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
      ],
    ],
    [
      { clientConfig: { url: '100%' } },
      [
        'webhooks[0].clientConfig.url: Required value: url must be a valid URL: parse "100%": invalid URL escape "%"; desired format: https://host[/path]',
      ],
    ],
    [
      { clientConfig: { service: { name: '', namespace: 'n' } } },
      ['webhooks[0].clientConfig.service.namespace: Required value: service namespace is required'],
    ],
    [
      { clientConfig: { service: { name: 's', namespace: 'n', path: '//' } } },
      ['webhooks[0].clientConfig.service.path: Invalid value: "//": segment[0] may not be empty'],
    ],
  ])('%j', (change, expected) => {
    expect(messagesOf([webhook(0, change)])).toEqual(expected)
  })
})

describe('the webhook of a conversion', () => {
  it.each([
    [{}, 'exactly one of url or service is required'],
    [{ url: 'https://e.com', service: { namespace: 'n', name: 's' } }, 'exactly one of url or service is required'],
    [{ url: 'http://e.com' }, "'https' is the only allowed URL scheme"],
    [{ url: 'https://user@e.com/' }, 'user information is not permitted'],
    [{ url: 'https://e.com/#x' }, 'fragments are not permitted'],
    [{ url: 'https://e.com/?x=1' }, 'query parameters are not permitted'],
  ])('%j is refused', (clientConfig, problem) => {
    const errors = conversionErrors({
      strategy: 'Webhook',
      webhook: { clientConfig, conversionReviewVersions: ['v1'] },
    })
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining(problem)])
  })
})
