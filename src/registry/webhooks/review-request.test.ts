import { describe, expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import type { KubeObject } from '../../api/object.ts'
import type { AdmissionAttributes, ShownKind } from './contract.ts'
import { reviewRequest, shownTexts } from './review-request.ts'
import { shownAsSent } from './shown-kind.ts'
import { parallelCalls } from './webhooks.ts'

const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } }
const sent = shownAsSent(configMap, '')
const attributes: AdmissionAttributes = {
  operation: 'CREATE',
  sent,
  equivalents: () => [],
  subresource: '',
  namespace: 'n',
  name: 'a',
  object,
  old: undefined,
  options: { kind: 'CreateOptions' },
  isDryRun: false,
  user: { name: 'a-user', groups: ['g'] },
}

describe('the request to a webhook', () => {
  it('contains the request, and its objects', async () => {
    const texts = await shownTexts(attributes)(sent)
    const question = JSON.parse(reviewRequest({ reviewVersion: 'v1' }, attributes, sent, texts, 'u'))
    expect(question).toMatchObject({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: { uid: 'u', operation: 'CREATE', name: 'a', namespace: 'n', object, oldObject: null },
    })
  })

  it('has its objects encoded once, however many webhooks are called', async () => {
    let written = 0
    const show = (given: KubeObject) => {
      written += 1
      return given
    }
    const texts = shownTexts({ ...attributes, old: object })
    const shownAgain = (): ShownKind => ({ ...sent, show })
    await Promise.all(Array.from({ length: 16 }, () => texts(shownAgain())))
    expect(written).toBe(2)
  })

  it.each([
    [1_000, 16],
    [1_300_000, 3],
    [3_000_000, 1],
    [9_000_000, 1],
  ])('of %i characters is sent to %i concurrently', (size, together) => {
    expect(parallelCalls({ object: 'x'.repeat(size), oldObject: 'null' })).toBe(together)
  })
})
