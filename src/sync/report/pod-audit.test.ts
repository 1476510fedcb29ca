import { describe, expect, it } from 'vitest'
import { changed, copyOf, rulesFor } from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pair } from '../contract.ts'
import { podsSync } from '../kinds/pods/pods.ts'
import { planObject } from '../plan/plan.ts'
import { explainedPlan } from './pod-audit.ts'

const rules = rulesFor(podsSync, 'Pod')

function pod(spec: object = {}, status: object = {}, metadata: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '1', ...metadata },
    spec: { containers: [{ name: 'main', image: 'app:1' }], ...spec },
    status,
  }
}

async function difference(pair: Pair) {
  const { plan } = await planObject(pair, rules, { isWanted: true })
  return explainedPlan('shop/web', plan, pair)
}

describe('a difference between a Pod and its copy is explained', () => {
  it('unless they are in step, or the Pod should have no copy', async () => {
    const virtual = pod()
    expect(await difference({ virtual, copy: await copyOf(virtual, rules) })).toBeUndefined()
    expect(await difference({ virtual: pod({ schedulingGates: [{ name: 'a' }] }), copy: undefined })).toBeUndefined()
  })

  const refused = {
    conditions: [
      { type: 'PodScheduled', status: 'False', reason: 'RefusedByHost', message: 'a ResourceQuota refused it' },
    ],
  }
  const ran = { annotations: { 'tenant.internal/ran-on': 'node-1' } }

  it.each<[string, KubeObject, string, RegExp]>([
    ['no copy', pod(), 'NoCopy', /has no copy/],
    ['a refusal by the host', pod({}, refused), 'RefusedByHost', /a ResourceQuota refused it/],
    ['a Pod that the policy holds back', pod({ hostNetwork: true }), 'HeldBackByPolicy', /spec\.hostNetwork/],
    ['a missing copy', pod({ nodeName: 'node-1' }, { phase: 'Running' }, ran), 'PodIsLeft', /the copy has ended/],
  ])('%s', async (_what, virtual, reason, message) => {
    expect(await difference({ virtual, copy: undefined })).toEqual({
      object: 'shop/web',
      reason,
      message: expect.stringMatching(message),
    })
  })

  it('a leftover copy', async () => {
    const copy = await copyOf(pod(), rules)
    expect(await difference({ virtual: undefined, copy })).toMatchObject({ reason: 'CopyIsLeft' })
  })

  it('what the copy lacks, and what the Pod does not show', async () => {
    const copy = changed(await copyOf(pod(), rules), {}, { status: { phase: 'Running' } })
    const other = pod({ containers: [{ name: 'main', image: 'app:2' }] })
    expect(await difference({ virtual: other, copy })).toMatchObject({
      reason: 'NotInStep',
      message: expect.stringMatching(
        /^the copy lacks what the Pod asks for; the Pod does not show .* \(copy tenants\/v-web-/,
      ),
    })
  })
})
