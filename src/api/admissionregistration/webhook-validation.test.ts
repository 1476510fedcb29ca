import { describe, expect, it } from 'vitest'
import { conversionErrors } from '../custom/definition-conversion.ts'
import type { ValidatingWebhook } from '../types/admissionregistration-v1.ts'
import { validateWebhooks } from './webhook-validation.ts'

function webhook(index: number, change: Partial<ValidatingWebhook> = {}): ValidatingWebhook {
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
  it('has at most 100', () => {
    const many = Array.from({ length: 101 }, (_, index) => webhook(index))
    expect(messagesOf(many)).toEqual(['webhooks: Too many: 101: must have at most 100 items'])
    expect(messagesOf(many.slice(1))).toEqual([])
  })

  it('has one effort for the conditions of all of them', () => {
    const expression = Array.from({ length: 400 }, () => 'object.a == 1').join(' && ')
    const matchConditions = [{ name: 'long', expression }]
    expect(messagesOf([webhook(0, { matchConditions })])).toEqual([])
    const errors = messagesOf(Array.from({ length: 50 }, (_, index) => webhook(index, { matchConditions })))
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.at(-1)).toContain('too many or too large to be compiled')
  })

  it('has no authorities without end', () => {
    const clientConfig = { url: 'https://example.com/', caBundle: 'A'.repeat(200_000) }
    expect(messagesOf([webhook(0, { clientConfig })])).toEqual([expect.stringContaining('caBundle: Too long')])
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
